import type { Answer, Mismatch } from '../../service/call/answer.ts'
import type { Call, Connection, Reply } from '../../service/call/call.ts'
import { faultName, faultTraits, planBody } from '../../service/call/fault.ts'
import type { RateLimit } from '../../service/limits/limit-headers.ts'
import type { LimitReading } from '../../service/limits/limiter.ts'
import type { Operation, OperationId, Stability } from '../../service/operations/operations.ts'
import type { Intervention } from '../replies/finish-reply.ts'

/** The gates of a call, in their order (A01). `failure`: pet-mock itself failed (A20). */
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

/** What answers in an open area: records that calls create, or the contract's examples and schemas. */
export type AreaSource = 'collection' | 'mocker'

/** The answer to a call, and which gate gave it. */
export interface Decision {
  readonly gate: Gate
  readonly answer: Answer
  /** The values of the three limit headers; absent on calls that are not counted (A03). */
  readonly rate: RateLimit | undefined
  readonly limit: LimitReading | undefined
  readonly operation: Operation | undefined
  /** The operation of an open area that answered. */
  readonly area?: Area | undefined
  /** What a rule or a `Prefer` header changes about the reply. */
  readonly intervention?: Intervention | undefined
}

export interface Area {
  /** The contract's `operationId`, or method and path. */
  readonly id: string
  readonly source: AreaSource
  readonly stability: Stability | undefined
}

/**
 * Which gate decided, on which numbers. Explanations read this, and compute nothing again. Of a call that pet-mock did not
 * answer, it has what the answer shows.
 */
export interface Trace {
  readonly gate: Gate
  readonly code: string | undefined
  /** The key without its sandbox; only if the world knows it. */
  readonly key: string | undefined
  readonly plan: string | undefined
  /** Both windows after the call; absent if nothing was counted. */
  readonly limit: LimitReading | undefined
  /** Refused calls since the last accepted one, this one included, and the end of a ban. */
  readonly strikes: number
  readonly bannedUntil: number | undefined
  /** Whether a command imposed the ban, and no refused call. */
  readonly bannedByHand?: boolean | undefined
  /** How many strikes ban a key; absent without strikes or without bans. */
  readonly banAfter: number | undefined
  readonly operation: OperationId | undefined
  readonly stability: Stability | undefined
  /** The operation of an open area that answered; `operation` is then absent. */
  readonly area?: { readonly operation: string; readonly source: AreaSource } | undefined
  /** The rules that acted, in order: delays first, then the answer or fault. Absent if nothing was injected. */
  readonly rules: readonly string[] | undefined
  /** The events of the scenario that happened before the call, such as `changeKey demo-free`. */
  readonly events?: readonly string[] | undefined
  /** Whether a rule or a `Prefer` header injected the answer. */
  readonly synthetic: boolean
  /** Whether a rule lost the request: it was not carried out, and nothing arrived. */
  readonly isLost?: boolean
  /** For a refusal: what the call asked, and what would have worked. */
  readonly mismatches: readonly Mismatch[] | undefined
}

/**
 * The one value for a call and its reply: of the emulator, of the proxy, or read from a recording. The journal keeps it,
 * observers and judges take it. Instants are exact milliseconds, headers are as they came.
 */
export interface Exchange {
  /** Grows by one with each exchange of a sandbox, even across a reset. */
  readonly id: number
  readonly sandbox: string
  /** The emulator's time; `call.receivedAt` is the door's. */
  readonly at: number
  /** How fast the emulator's clock ran: 1 as real time, 0 frozen. */
  readonly scale: number
  /** How far `Date` is ahead of the client's clock, if the scenario says so by an offset: milliseconds. */
  readonly skewMs?: number | undefined
  readonly call: Call
  readonly reply: Reply
  /** For a proxied or recorded call: when the client got the head of the reply, in the door's time. */
  readonly answeredAt?: number
  readonly trace: Trace
  /** The full size in bytes of bodies that were cut. */
  readonly cut: { readonly call: number | undefined; readonly reply: number | undefined }
  /** How it breaks the contract, if it was checked. That comes later than the exchange. */
  readonly breaches?: readonly Breach[]
}

/** One way in which an exchange breaks the contract. */
export interface Breach {
  /** `request`: the server accepted a request that the contract does not allow. */
  readonly side: 'request' | 'response'
  /** `status`, `media type`, `body`, `header`, `path`, `query` or `security`. */
  readonly part: string
  /** The place in that part: `0.status`, `x-ratelimit-limit`; empty for the whole part. */
  readonly place: string
  /** A sentence without its full stop. */
  readonly message: string
}

/** Whether a limit or a ban refused a call. Injected answers do not count (A07, A10). */
export function isRefused({ trace: { code, synthetic } }: Pick<Exchange, 'trace'>): boolean {
  return !synthetic && (code === 'rate_limit_exceeded' || code === 'api_key_banned')
}

export type Observer = (exchange: Exchange) => void

export interface Delivery {
  readonly connection: Connection | undefined
  /** When the whole reply was sent, in the door's time. Infinity: it never was. */
  readonly at: number
}

/** A reply may be sent late, slowly, in part or not at all. Many clients see nothing of a reply that is not whole. */
export function deliveryOf({ call, reply, answeredAt }: Exchange): Delivery {
  const { connection, receivedAt } = call
  const { delayMs = 0, fault, body } = reply
  const sentAt = answeredAt ?? receivedAt + delayMs
  if (fault === undefined) return { connection, at: sentAt }
  if (faultTraits[faultName(fault)].arrives !== 'whole') return { connection, at: Number.POSITIVE_INFINITY }
  const { bytes, piece, pauseMs } = planBody(fault, body?.length ?? 0)
  const pauses = Math.max(0, Math.ceil(bytes / Math.max(1, piece)) - 1)
  return { connection, at: sentAt + pauses * pauseMs }
}

/** Whether a client had a reply at an instant. One that closes its connection before has given up. */
export function hasArrived({ connection, at }: Delivery, instant: number): boolean {
  return at <= instant && !(connection?.closedAt !== undefined && connection.closedAt < at)
}

/** Whether a client ever gets a reply, as far as is known. */
export function mayArrive(delivery: Delivery): boolean {
  return Number.isFinite(delivery.at) && hasArrived(delivery, delivery.at)
}
