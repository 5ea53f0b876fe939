import { clientInstant } from '../../base/time/clock.ts'
import type { RateLimit } from '../../service/limits/limit-headers.ts'
import { type LimitReading, remaining } from '../../service/limits/limiter.ts'
import type { CallContext } from './call-context.ts'

/** The values of the three limit headers, in the client's time (A06, A08). */
export function rateLimitOf({ world, at }: CallContext, reading: LimitReading): RateLimit {
  const window = reading[reading.told]
  return {
    limit: window.limit,
    remaining: remaining(window),
    resetsAt: clientInstant(world.clock, window.endsAt ?? at),
  }
}

/** The instant of the `Date` header (A08). */
export function dateOf({ world, at, call }: CallContext): number {
  const { scale } = world.clock
  // On a scaled clock, the client's own time: converted to and fro, it could be a second too early.
  return scale === 0 || scale === 1 ? at : call.receivedAt
}
