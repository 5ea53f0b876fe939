import type { Quota } from '../../service/plans/plan.ts'
import type { WantedCall } from './wanted-call.ts'

/** A change of the client. Without a field, the client stays as it was in this regard. */
export interface ClientChange {
  /** It uses the answer to a GET again for this many milliseconds. */
  readonly cacheMs?: number
  /** It asks for the largest pages. */
  readonly largestPages?: true
  /** It spreads its calls over the minute. */
  readonly spread?: true
}

/**
 * A cache of a client, which a replay asks before each call. It holds what the service answered to identical GETs, and nothing
 * after a call that may change something.
 */
export function createCache(forMs: number) {
  const stored = new Map<string, number>()
  return {
    has: ({ method, target, at }: WantedCall): boolean => {
      const since = method === 'GET' ? stored.get(target) : undefined
      return since !== undefined && at - since < forMs
    },
    /** `at`: when the replay made the call. */
    served: (call: WantedCall, at: number): void => {
      if (call.method === 'GET') {
        if (isReusable(call)) stored.set(call.target, at)
      } else if (call.method !== 'HEAD') stored.clear()
    },
  }
}

/** A call that was refused when it was recorded counts as served, since the replay served it. */
function isReusable({ status, wasRefused }: WantedCall): boolean {
  return wasRefused || (status >= 200 && status < 300) || status === 304
}

/** Delays calls, so that at most one is made in each part of the minute. Calls must come in the order of time. */
export function createSpacing({ minute }: Quota) {
  const gap = Math.ceil(60_000 / Math.max(1, minute))
  let next = Number.NEGATIVE_INFINITY
  return {
    gap,
    /** When a call that is wanted at an instant is made. */
    place: (at: number): number => Math.max(at, next),
    made: (at: number): void => {
      next = at + gap
    },
  }
}
