import { draw } from '../../base/random/random.ts'
import type { When } from './rule.ts'

/**
 * Whether a rule acts on the n-th call (from 1) of a key that fits it. `elapsedMs` is the emulator's time since the
 * rule's own began. The draw depends on the seed, which is one of rule and key, and on n: not on what other keys do.
 */
export function holds(when: When, n: number, elapsedMs: number, seed: number): boolean {
  const { first, every, afterCalls, afterMs, between, probability } = when
  return (
    (first === undefined || n <= first) &&
    (every === undefined || n % every === 0) &&
    (afterCalls === undefined || n > afterCalls) &&
    (afterMs === undefined || elapsedMs >= afterMs) &&
    (between === undefined || (elapsedMs >= between[0] && elapsedMs < between[1])) &&
    (probability === undefined || draw(seed, n) < probability)
  )
}

/** The first call that `first`, `every` and `after` let a rule act on; undefined when there is none. */
export function firstCall({ first, every = 1, afterCalls = 0 }: When): number | undefined {
  const call = every * (Math.floor(afterCalls / every) + 1)
  return first === undefined || call <= first ? call : undefined
}
