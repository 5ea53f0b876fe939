import { clientInstant } from '../../base/time/clock.ts'
import type { Answer } from '../../service/call/answer.ts'
import type { Call } from '../../service/call/call.ts'
import type { Target } from '../../service/call/target.ts'
import type { Key } from '../../service/keys/key.ts'
import { type RateLimit, retryAfter } from '../../service/limits/limit-headers.ts'
import { type LimitReading, remaining } from '../../service/limits/limiter.ts'
import type { Operation } from '../../service/operations/operations.ts'
import type { World } from '../worlds/world.ts'
import type { Caller } from './caller.ts'

/** A call in the world that records it, at one instant of that world's clock. */
export interface CallContext {
  readonly call: Call
  readonly target: Target
  readonly world: World
  readonly caller: Caller
  /** The key that the call sends, if the world knows it. It may be revoked or expired. */
  readonly key: Key | undefined
  /** Milliseconds since the epoch in the emulator's time: the clock is read once per call. */
  readonly at: number
  /** Scheme and authority for absolute links; empty when the call names no host. */
  readonly origin: string
  /** What the gates know so far. If pet-mock fails later on, the trace still has it (A20). */
  counted: Counted | undefined
  reached: Operation | undefined
}

/** A call counted against its key, and the refusal if it exceeds the quota (A05 to A10). */
export interface Counted {
  readonly limit: LimitReading
  readonly rate: RateLimit
  readonly refusal: Answer | undefined
}

/** The values of the three limit headers, in the client's time (A06, A08). */
export function rateLimitOf({ world, at }: CallContext, reading: LimitReading): RateLimit {
  const window = reading[reading.reported]
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

/** The value of `Retry-After`, in the form that the scenario sets (A08). */
export function retryAfterOf(context: CallContext, resetsAt: number): string {
  return retryAfter(resetsAt, dateOf(context), context.world.scenario.behaviour.limits.retryAfter)
}
