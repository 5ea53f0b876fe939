/** Of the time, work takes a twentieth at most: what is slow for the server, such as a list of 10,000 keys, must not keep it busy. */
const restPerWork = 19

/** Work that happens soon after somebody wants it: never twice at once, and with a pause between. */
export interface Pulse {
  readonly want: () => void
  readonly stop: () => void
}

/** `work` must not reject. `pauseMs`: the least time from one work to the next. */
export function createPulse(work: () => Promise<void>, pauseMs: () => number): Pulse {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRunning = false
  let isWanted = false
  let isStopped = false
  let next = Number.NEGATIVE_INFINITY
  const plan = () => {
    if (isStopped || isRunning || !isWanted || timer !== undefined) return
    timer = setTimeout(() => void run(), Math.max(0, next - performance.now()))
  }
  const run = async () => {
    timer = undefined
    isWanted = false
    isRunning = true
    const started = performance.now()
    await work()
    const ended = performance.now()
    next = Math.max(started + pauseMs(), ended + restPerWork * (ended - started))
    isRunning = false
    plan()
  }
  return {
    want: () => {
      isWanted = true
      plan()
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
