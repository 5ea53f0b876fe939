import { performance } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'

/** Runs in a thread of its own, so that an endless loop cannot keep it from its work. */
const watch = `
  const { workerData } = require('node:worker_threads')
  const limit = new Float64Array(workerData)
  setInterval(() => {
    const { user, system } = process.cpuUsage()
    if (user + system > limit[0]) process.kill(process.pid, 'SIGVTALRM')
  }, 250)
`

/**
 * Ends an endless loop, by a signal that nobody else sends. It reads the time of the processor: on a busy machine the clock on the wall says nothing. Call
 * the result with the milliseconds that the next step may take.
 */
export function startWatchdog(): (ms: number) => void {
  const shared = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)
  const limit = new Float64Array(shared)
  limit[0] = Number.POSITIVE_INFINITY
  new Worker(watch, { eval: true, workerData: shared }).unref()
  return ms => {
    const { user, system } = process.cpuUsage()
    limit[0] = user + system + ms * 1000
  }
}

/** Milliseconds in which the event loop had nothing to do. A process that waits for the processor is not idle. */
const idleLimit = 5_000

/** False when `promise` waits for something that never comes. */
export function settles(promise: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const start = utilization()
    const { setInterval, clearInterval } = realTimers
    const timer = setInterval(() => {
      if (utilization(start).idle > idleLimit) settle(false)
    }, 100)
    const settle = (isSettled: boolean) => {
      clearInterval(timer)
      resolve(isSettled)
    }
    promise.then(() => settle(true), reject)
  })
}

/** Tests replace the global ones. */
const utilization = performance.eventLoopUtilization.bind(performance)
const realTimers = { setInterval, clearInterval }
