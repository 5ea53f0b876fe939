/** The page asks the server for news at most four times a second. */
const gapMs = 250

/** Work that happens soon after somebody wants it: never twice at once, and with a pause between. */
export interface Pulse {
  readonly want: () => void
  readonly stop: () => void
}

/** `work` must not reject. */
export function createPulse(work: () => Promise<void>, pauseMs = gapMs): Pulse {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRunning = false
  let isWanted = false
  let isStopped = false
  let last = Number.NEGATIVE_INFINITY
  const plan = () => {
    if (isStopped || isRunning || !isWanted || timer !== undefined) return
    timer = setTimeout(() => void run(), Math.max(0, last + pauseMs - performance.now()))
  }
  const run = async () => {
    timer = undefined
    isWanted = false
    isRunning = true
    last = performance.now()
    await work()
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
