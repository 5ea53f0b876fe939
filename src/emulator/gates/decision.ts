import type { Answer } from '../../service/call/answer.ts'
import type { RateLimit } from '../../service/limits/limit-headers.ts'
import type { LimitReading } from '../../service/limits/limiter.ts'
import type { Gate } from '../journal/exchange.ts'
import type { AreaOperation } from '../worlds/open-areas.ts'
import type { Operation } from '../worlds/routes.ts'
import type { Intervention } from './apply-rules.ts'

/** What the gates decided of a call, and which of them did. */
export interface Verdict {
  readonly gate: Gate
  readonly answer: Answer
  /** What the three headers say; absent on calls that nobody counts (A03). */
  readonly rate: RateLimit | undefined
  readonly limit: LimitReading | undefined
  /** What the call reached, if it got that far. */
  readonly operation: Operation | undefined
  /** The operation of an open area that answered. */
  readonly area?: AreaOperation | undefined
  /** What a rule or a `Prefer` header changes about the reply. */
  readonly intervention?: Intervention | undefined
}
