import { httpDate } from '../../base/time/instant.ts'
import type { Call } from '../../service/call/call.ts'
import { finish } from '../replies/finish-reply.ts'
import type { Decision, Exchange } from './exchange.ts'

/** What the journal keeps of a call: enough to make its exchange when somebody reads it, and no more. */
export interface RecordedCall {
  readonly id: number
  readonly sandbox: string
  /** The emulator's time. */
  readonly at: number
  /** The instant of the `Date` header. */
  readonly date: number
  readonly method: string
  readonly target: string
  readonly headers: readonly string[]
  readonly body: Call['body']
  readonly scheme: Call['scheme']
  readonly client: string
  readonly connection: number | undefined
  readonly receivedAt: number
  readonly corsHeaders: Readonly<Record<string, string>> | undefined
  readonly key: string | undefined
  readonly plan: string | undefined
  readonly strikes: number
  readonly bannedUntil: number | undefined
  readonly banAfter: number | undefined
  readonly decision: Decision
  readonly cut: Exchange['cut']
}

export function readRecordedCall(recorded: RecordedCall): Exchange {
  const { id, sandbox, at, method, target, headers, body, scheme, client, connection, receivedAt } = recorded
  const { corsHeaders, key, plan, strikes, bannedUntil, banAfter } = recorded
  const { gate, answer, rate, limit, operation, area, intervention } = recorded.decision
  return {
    id,
    sandbox,
    at,
    call: { method, target, headers, body, scheme, client, connection, receivedAt },
    reply: finish(answer, rate, httpDate(recorded.date), corsHeaders, method, intervention),
    trace: {
      gate,
      code: answer.code,
      key,
      plan,
      limit,
      strikes,
      bannedUntil,
      banAfter,
      operation: operation?.id,
      stability: operation?.stability ?? area?.stability,
      area: area && { operation: area.id, source: area.source },
      rules: intervention?.rules,
      synthetic: intervention?.answer !== undefined,
      mismatches: answer.mismatches,
    },
    cut: recorded.cut,
  }
}

/** How much of a body is kept: bytes of a call's, UTF-16 code units of a reply's. */
export const keptBody = 16_384

export const uncut: Exchange['cut'] = { call: undefined, reply: undefined }

/** Cuts long bodies, so that the journal's capacity bounds its memory. */
export function shorten(recorded: RecordedCall): RecordedCall {
  const { body, decision } = recorded
  const { answer } = decision
  const longCall = body instanceof Uint8Array && body.length > keptBody
  const longReply = answer.body.length > keptBody
  if (!longCall && !longReply) return recorded
  const cutAnswer = { ...answer, body: copyText(answer.body.slice(0, keptBody)), octets: undefined }
  return {
    ...recorded,
    // A copy, not a view: Node's Buffer.slice would keep the whole body in memory.
    body: longCall ? new Uint8Array(body.subarray(0, keptBody)) : body,
    decision: longReply ? { ...decision, answer: cutAnswer } : decision,
    cut: { call: longCall ? body.length : undefined, reply: longReply ? answer.length : undefined },
  }
}

/** A slice of a string keeps the whole of it in memory; a copy does not. */
function copyText(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text))
}
