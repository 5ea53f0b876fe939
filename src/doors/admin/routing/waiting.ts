/** Lets a route wait: only doors have timers. */
export interface Waiting {
  /** Aborts when the client leaves or the door closes. */
  readonly signal: AbortSignal
  /** Calls back after `ms` milliseconds of real time. Returns a function that cancels. */
  readonly after: (ms: number, act: () => void) => () => void
}
