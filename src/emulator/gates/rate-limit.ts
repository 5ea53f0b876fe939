import { tellInstant } from '../../base/time/clock.ts'
import type { RateLimit } from '../../service/limits/limit-headers.ts'
import { type LimitReading, remaining } from '../../service/limits/limiter.ts'
import type { Visit } from '../worlds/call-context.ts'

/** What a reading makes the three headers say, in the frame of the client (A06, A08). */
export function tellRate({ world, at }: Visit, reading: LimitReading): RateLimit {
  const window = reading[reading.told]
  return {
    limit: window.limit,
    remaining: remaining(window),
    resetsAt: tellInstant(world.clock, window.endsAt ?? at),
  }
}

/** The instant that the `Date` header tells (A08). */
export function tellDate({ world, at, call }: Visit): number {
  const { scale } = world.clock
  // On a scaled clock, the client's own time: there and back again, it could come out a second too early.
  return scale === 0 || scale === 1 ? at : call.receivedAt
}
