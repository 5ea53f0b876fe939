import type { Call, Reply } from '../call/call.ts'
import type { ProblemCode } from '../call/problems.ts'
import type { LimitReading } from '../limits/limiter.ts'

/** Where a call's way can end, in the order in which it goes (A01). */
export const gates = ['host', 'preflight', 'api', 'key', 'ban', 'limit', 'route', 'operation'] as const
export type Gate = (typeof gates)[number]

export type OperationId = 'listPets' | 'createPet' | 'getPet' | 'listOrders'

/** A marker of operations that may still change (A21). */
export type Stability = 'experimental' | 'beta'

/** Which gate decided, on which numbers: explanations read this, nobody works it out again. */
export interface Trace {
  readonly gate: Gate
  readonly code: ProblemCode | undefined
  /** The key as it was sent, in full and without its sandbox; only a key that is known here. */
  readonly key: string | undefined
  readonly plan: string | undefined
  /** Both windows after the call; absent where nothing is counted. */
  readonly limit: LimitReading | undefined
  /** Refused calls since the last accepted one, this one included, and the end of a ban. */
  readonly strikes: number
  readonly bannedUntil: number | undefined
  readonly operation: OperationId | undefined
  readonly stability: Stability | undefined
}

/** One call and its reply, as the journal keeps it and observers see it. */
export interface Exchange {
  /** Grows by one with each exchange of a sandbox. */
  readonly id: number
  readonly sandbox: string
  /** The emulator's time; `call.receivedAt` is the door's. */
  readonly at: number
  readonly call: Call
  readonly reply: Reply
  readonly trace: Trace
}

export type Observer = (exchange: Exchange) => void
