import { drawLognormal } from '../../base/random/lognormal.ts'
import { draw, fork } from '../../base/random/random.ts'
import { maxDelayMs } from '../../service/call/fault.ts'
import type { Delay } from './rule.ts'

/** The delay of the n-th call of a key, in whole milliseconds. `seed` is that of rule and key. */
export function drawDelay(delay: Delay, seed: number, n: number): number {
  return Math.min(maxDelayMs, Math.round(lengthOf(delay, seed, n)))
}

function lengthOf(delay: Delay, seed: number, n: number): number {
  switch (delay.kind) {
    case 'fixed':
      return delay.ms
    case 'uniform':
      return delay.fromMs + draw(delaySeed(seed), n) * (delay.toMs - delay.fromMs)
    case 'lognormal':
      return drawLognormal(delay.medianMs, delay.p99Ms, delaySeed(seed), n)
  }
}

/** Other draws than those that decide whether the rule acts. */
function delaySeed(seed: number): number {
  return fork(seed, 'delay')
}
