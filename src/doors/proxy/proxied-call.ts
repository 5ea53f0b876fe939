import type { Call } from '../../service/call/call.ts'
import type { ProxiedFault } from '../../service/call/fault.ts'
import type { Reason } from '../../service/call/problems.ts'

/** A call and its answer as they passed the proxy. */
export interface ProxiedCall {
  readonly call: Omit<Call, 'body'>
  readonly requestBody: ProxiedBody
  readonly answer: ProxiedAnswer
  /** When the answer's head came, on the proxy's clock: milliseconds since the epoch. */
  readonly answeredAt: number
}

export interface ProxiedBody {
  /** Undefined if the body was too large to keep. */
  readonly bytes: Uint8Array | undefined
  /** Bytes that passed. */
  readonly size: number
}

export interface ProxiedAnswer {
  readonly status: number
  /** Names and values in turn, as the upstream sent them. */
  readonly headers: readonly string[]
  readonly body: ProxiedBody
  /** How the upstream broke the answer off. */
  readonly fault: ProxiedFault | undefined
  /** Why the proxy answered instead of the upstream. */
  readonly failure: Reason | undefined
}
