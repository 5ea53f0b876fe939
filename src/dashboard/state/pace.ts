/** The page looks at the same thing at most four times a second. */
const usualMs = 250
/** Nobody reads a thousand calls a second, and each look takes time from the server. */
const busyMs = 1_000
const busyCallsPerSecond = 1_000
/** How long calls are counted, in milliseconds. */
const spanMs = 1_000

/** How often a page looks at the server. */
export interface Pace {
  /** Whether calls come faster than anybody can read. */
  readonly isBusy: () => boolean
  /** The least time between two looks at the same thing, in milliseconds. */
  readonly pauseMs: () => number
}

/** `countCalls`: all calls of the server up to now, and a clock that only goes forward, in milliseconds. */
export function createPace() {
  let counted: { readonly calls: number; readonly at: number } | undefined
  let isBusy = false
  const pace: Pace = { isBusy: () => isBusy, pauseMs: () => (isBusy ? busyMs : usualMs) }
  const countCalls = (calls: number, at: number) => {
    const passedMs = counted === undefined ? 0 : at - counted.at
    if (counted !== undefined && passedMs < spanMs) return
    if (counted !== undefined) isBusy = (calls - counted.calls) / passedMs > busyCallsPerSecond / 1_000
    counted = { calls, at }
  }
  return { pace, countCalls }
}
