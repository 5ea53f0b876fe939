import type { Answer } from '../../service/call/answer.ts'
import type { RateLimit } from '../../service/limits/limit-headers.ts'
import type { LimitReading } from '../../service/limits/limiter.ts'
import type { Operation, Stability } from '../../service/operations/operations.ts'
import type { Intervention } from '../replies/finish-reply.ts'
import type { AreaSource, Gate } from './exchange.ts'

/** The answer to a call, and which gate gave it. */
export interface Decision {
  readonly gate: Gate
  readonly answer: Answer
  /** The values of the three limit headers; absent on calls that are not counted (A03). */
  readonly rate: RateLimit | undefined
  readonly limit: LimitReading | undefined
  /** The operation that the call reached. */
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
