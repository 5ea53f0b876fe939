import type { Answer } from '../../service/call/answer.ts'
import type { Reply } from '../../service/call/call.ts'
import { type Fault, malform } from '../../service/call/fault.ts'

/** What rules or a `Prefer` header change about a reply. */
export interface Intervention {
  readonly gate: 'prefer' | 'rule'
  /** Replaces the API's own answer. */
  readonly answer: Answer | undefined
  /** The rules that acted, in order. */
  readonly rules: readonly string[]
  readonly delayMs: number
  readonly fault: Fault | undefined
  /** Headers that report the intervention to the client. */
  readonly headers: Readonly<Record<string, string>>
}

/** The finished reply with the intervention's headers, delay and fault. */
export function alterReply(reply: Reply, intervention: Intervention | undefined): Reply {
  if (intervention === undefined) return reply
  const { headers, delayMs, fault } = intervention
  return {
    status: reply.status,
    headers: { ...reply.headers, ...headers },
    body: fault === 'malformed' && reply.body !== undefined ? malform(reply.body) : reply.body,
    ...(delayMs > 0 && { delayMs }),
    ...(fault !== undefined && { fault }),
  }
}
