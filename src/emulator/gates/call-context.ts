import { clientInstant, clientTime } from '../../base/time/clock.ts'
import type { Answer } from '../../service/call/answer.ts'
import type { Call } from '../../service/call/call.ts'
import type { Target } from '../../service/call/target.ts'
import type { Key } from '../../service/keys/key.ts'
import { draftFields, type RateLimit } from '../../service/limits/limit-headers.ts'
import {
  type LimitReading,
  remaining,
  takeForm,
  type WindowName,
  type WindowReading,
  type Windows,
} from '../../service/limits/limiter.ts'
import { retryAfter, waitSeconds } from '../../service/limits/retry-after.ts'
import type { Operation } from '../../service/operations/operations.ts'
import type { World } from '../worlds/world.ts'
import type { ApiAddress } from './api-address.ts'
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
  readonly address: ApiAddress
  /** The events of the scenario that happened before it. */
  readonly events: readonly string[] | undefined
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
export function rateLimitOf(context: CallContext, reading: LimitReading): RateLimit {
  const { world, at } = context
  const window = reading[reading.reported]
  const resetsAt = clientInstant(world.clock, window.endsAt ?? at)
  return rateOf(context, reading, reading.reported, remaining(window), resetsAt)
}

/** The same of one window, with what is left of it and when it resets. */
export function rateOf(
  context: CallContext,
  reading: Readonly<Record<WindowName, WindowReading>>,
  name: WindowName,
  left: number,
  resetsAt: number,
): RateLimit {
  const { limit } = reading[name]
  const { dialect } = context.world.scenario.behaviour.limits
  if (dialect === undefined || dialect === 'x-ratelimit')
    return { limit, remaining: left, resetsAt, draft: undefined }
  const wait = waitSeconds(resetsAt, dateOf(context))
  const draft = draftFields(dialect, reading, { name, remaining: left, wait })
  return { limit, remaining: left, resetsAt, draft }
}

/** The instant of the `Date` header (A08). */
export function dateOf({ world, at, call }: CallContext): number {
  return clientTime(world.clock, at, call.receivedAt)
}

/** `Retry-After` of a refusal, in the form that the scenario sets (A08). */
export function retryAfterOf(
  context: CallContext,
  windows: Windows,
  resetsAt: number,
): Readonly<Record<string, string>> {
  const form = takeForm(windows, context.world.scenario.behaviour.limits.retryAfter)
  return retryAfter(resetsAt, dateOf(context), form)
}
