import type { Rhythm } from './pace.ts'

/** On a machine where each look is slow, a person still sees what is new. */
const longestRestMs = 5_000

/** Work that happens soon after somebody wants it: never twice at once, and with a pause between. It must not reject. */
export function createPulse(work: () => Promise<void>, rhythm: () => Rhythm) {
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
    const { pauseMs, restPerWork } = rhythm()
    next = Math.max(started + pauseMs, ended + Math.min(longestRestMs, restPerWork * (ended - started)))
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
