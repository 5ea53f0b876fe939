import type { Answer } from '../../service/call/answer.ts'
import type { Call } from '../../service/call/call.ts'
import type { Target } from '../../service/call/target.ts'
import type { Key } from '../../service/keys/key.ts'
import type { RateLimit } from '../../service/limits/limit-headers.ts'
import type { LimitReading } from '../../service/limits/limiter.ts'
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
  /** The instant of the `Date` header: `at` in the client's time (A08). */
  readonly date: number
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
