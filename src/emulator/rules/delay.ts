import { draw, fork } from '../../base/random/random.ts'
import { maxDelayMs } from '../../service/call/fault.ts'
import type { Delay } from './rule.ts'

/** The 99th percentile of the standard normal distribution. */
const z99 = 2.3263478740408408

/** The delay of the n-th call of a key, in whole milliseconds. `seed` is that of rule and key. */
export function drawDelay(delay: Delay, seed: number, n: number): number {
  return Math.min(maxDelayMs, Math.round(lengthOf(delay, seed, n)))
}

function lengthOf(delay: Delay, seed: number, n: number): number {
  switch (delay.kind) {
    case 'fixed':
      return delay.ms
    case 'uniform':
      return delay.fromMs + drawOf(seed, n) * (delay.toMs - delay.fromMs)
    case 'lognormal': {
      const { medianMs, p99Ms } = delay
      return medianMs * (p99Ms / medianMs) ** (drawNormal(seed, n) / z99)
    }
  }
}

/** A draw of the standard normal distribution, by the Box-Muller transform. */
function drawNormal(seed: number, n: number): number {
  // A draw may be 0, which has no logarithm; it is never 1.
  return Math.sqrt(-2 * Math.log(1 - drawOf(seed, 2 * n))) * Math.cos(2 * Math.PI * drawOf(seed, 2 * n + 1))
}

/** Other draws than those that decide whether the rule acts. */
function drawOf(seed: number, n: number): number {
  return draw(fork(seed, 'delay'), n)
}
