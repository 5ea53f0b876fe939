const busyCallsPerSecond = 1_000
/** How long calls are counted, in milliseconds. */
const spanMs = 1_000

/** How often a page looks at the server, and how much of the server's time it takes. */
export interface Rhythm {
  /** The least time between two looks at the same thing, in milliseconds. */
  readonly pauseMs: number
  /** Seconds of rest after a look that took a second, so that slow work does not keep the server busy. */
  readonly restPerWork: number
}

export const usual: Rhythm = { pauseMs: 250, restPerWork: 4 }
/** Nobody reads a thousand calls a second, and then the server has other work. */
export const busy: Rhythm = { pauseMs: 1_000, restPerWork: 19 }

/** For what judges the whole journal, and is on every page. */
export const calmer = (rhythm: Rhythm): Rhythm => ({
  pauseMs: 1_000,
  restPerWork: rhythm === busy ? 49 : rhythm.restPerWork,
})

/** `countCalls`: all calls of the server up to now, and a clock that only goes forward, in milliseconds. */
export function createPace() {
  let counted: { readonly calls: number; readonly at: number } | undefined
  let rhythm = usual
  const countCalls = (calls: number, at: number) => {
    const passedMs = counted === undefined ? 0 : at - counted.at
    if (counted !== undefined && passedMs < spanMs) return
    if (counted !== undefined)
      rhythm = (calls - counted.calls) / passedMs > busyCallsPerSecond / 1_000 ? busy : usual
    counted = { calls, at }
  }
  return { rhythm: () => rhythm, countCalls }
}
