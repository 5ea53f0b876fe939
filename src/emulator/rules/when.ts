import { draw } from '../../base/random/random.ts'
import type { When } from './rule.ts'

/**
 * Whether a rule acts on the n-th matching call (from 1) of a key. `elapsedMs`: since the start of the rule's time. The
 * draw depends on n and on the seed of rule and key, not on other keys.
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

/** The first call that `first`, `every` and `after` allow; undefined if they allow none. */
export function firstCall({ first, every = 1, afterCalls = 0 }: When): number | undefined {
  const call = every * (Math.floor(afterCalls / every) + 1)
  return first === undefined || call <= first ? call : undefined
}
