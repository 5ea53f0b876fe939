/** What a door does for an admin call that takes its time: nothing below a door has a timer. */
export interface Waiting {
  /** Aborted when the client is gone, or the door closes: nobody reads on. */
  readonly signal: AbortSignal
  /** Calls back after so many milliseconds of real time; what it gives takes that back. */
  readonly after: (ms: number, act: () => void) => () => void
}
