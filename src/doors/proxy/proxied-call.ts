import type { Call } from '../../service/call/call.ts'
import type { ProxiedFault } from '../../service/call/fault.ts'
import type { Reason } from '../server/refusals.ts'

/** A call and its answer, as they went by. */
export interface Passage {
  readonly call: Omit<Call, 'body'>
  readonly requestBody: PassedBody
  readonly answer: PassedAnswer
  /** When the head of the answer was there: the proxy's clock, in milliseconds since the epoch. */
  readonly answeredAt: number
}

export interface PassedBody {
  /** Undefined where it was more than is kept. */
  readonly bytes: Uint8Array | undefined
  /** Bytes that went by. */
  readonly size: number
}

export interface PassedAnswer {
  readonly status: number
  /** Names and values in turn, as the upstream sent them. */
  readonly headers: readonly string[]
  readonly body: PassedBody
  /** How the upstream broke it off. */
  readonly fault: ProxiedFault | undefined
  /** Why the proxy answered in the place of the upstream. */
  readonly failure: Reason | undefined
}
