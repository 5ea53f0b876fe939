import type { Call, Reply } from '../../service/call/call.ts'
import type { Mismatch } from '../../service/call/mismatch.ts'
import type { LimitReading } from '../../service/limits/limiter.ts'
import type { OperationId, Stability } from '../../service/operations/operations.ts'
import type { Breach } from './breach.ts'

/** Where a call's way can end, in the order in which it goes (A01); `failure`: pet-mock itself failed on it (A20). */
export const gates = [
  'host',
  'preflight',
  'api',
  'key',
  'ban',
  'limit',
  'prefer',
  'rule',
  'route',
  'operation',
  'failure',
] as const
export type Gate = (typeof gates)[number]

/** Where the answers of an open area come from: records that calls create, or the contract's examples and schemas. */
export type AreaSource = 'collection' | 'mocker'

/** Which gate decided, on which numbers: explanations read this, nobody works it out again. */
export interface Trace {
  readonly gate: Gate
  readonly code: string | undefined
  /** The key as it was sent, in full and without its sandbox; only a key that is known here. */
  readonly key: string | undefined
  readonly plan: string | undefined
  /** Both windows after the call; absent where nothing is counted. */
  readonly limit: LimitReading | undefined
  /** Refused calls since the last accepted one, this one included, and the end of a ban. */
  readonly strikes: number
  readonly bannedUntil: number | undefined
  /** How many strikes ban, where there are any; absent where nobody is banned. */
  readonly banAfter: number | undefined
  readonly operation: OperationId | undefined
  readonly stability: Stability | undefined
  /** The operation of an open area that answered; `operation` is then absent. */
  readonly area?: { readonly operation: string; readonly source: AreaSource } | undefined
  /**
   * The rules that acted, in order: those that delayed the reply, and last the one that made it up or broke it.
   * Absent when neither a rule nor a `Prefer` header had a say.
   */
  readonly rules: readonly string[] | undefined
  /** The answer is made up: by a rule, or because a `Prefer` header asked for it. */
  readonly synthetic: boolean
  /** Of a refusal: what was asked, beside what would have worked then. */
  readonly mismatches: readonly Mismatch[] | undefined
}

/** One call and its reply, as the journal keeps it and observers see it. */
export interface Exchange {
  /** Grows by one with each exchange of a sandbox, also when the sandbox is started anew. */
  readonly id: number
  readonly sandbox: string
  /** The emulator's time; `call.receivedAt` is the door's. */
  readonly at: number
  readonly call: Call
  readonly reply: Reply
  /** When the client got the head of the reply, in the door's time, where that took somebody else's time: a proxied call. */
  readonly answeredAt?: number
  readonly trace: Trace
  /** The bytes of bodies that were longer than what is kept of them. */
  readonly cut: { readonly call: number | undefined; readonly reply: number | undefined }
  /** How it breaks the contract, where somebody judged it and found that it does. That comes later than the exchange. */
  readonly breaches?: readonly Breach[]
}

/** Whether a call was refused by a limit or a ban, and by nothing that was made up (A07, A10). */
export function isRefused({ trace: { code, synthetic } }: Pick<Exchange, 'trace'>): boolean {
  return !synthetic && (code === 'rate_limit_exceeded' || code === 'api_key_banned')
}

export type Observer = (exchange: Exchange) => void
