import { copyText } from '../../base/text/copy-text.ts'
import { httpDate } from '../../base/time/instant.ts'
import type { Mismatch } from '../../service/call/answer.ts'
import type { Call, Connection } from '../../service/call/call.ts'
import { finish } from '../replies/finish-reply.ts'
import type { Decision, Exchange } from './exchange.ts'
import { cutHeaders, keptHeader } from './kept-headers.ts'

/** What the journal keeps of a call: enough to make its exchange when somebody reads it, and no more. */
export interface RecordedCall {
  readonly id: number
  readonly sandbox: string
  /** The emulator's time. */
  readonly at: number
  readonly scale: number
  /** The instant of the `Date` header. */
  readonly date: number
  /** How far it is ahead of the client's clock by the scenario's offset. */
  readonly skewMs: number | undefined
  readonly method: string
  readonly target: string
  readonly headers: readonly string[]
  readonly body: Call['body']
  readonly scheme: Call['scheme']
  readonly client: string
  readonly connection: Connection | undefined
  readonly receivedAt: number
  readonly timing: Call['timing']
  readonly corsHeaders: Readonly<Record<string, string>> | undefined
  readonly key: string | undefined
  readonly plan: string | undefined
  readonly strikes: number
  readonly bannedUntil: number | undefined
  readonly bannedByHand: boolean | undefined
  readonly banAfter: number | undefined
  readonly events: readonly string[] | undefined
  readonly decision: Decision
  readonly cut: Exchange['cut']
}

export function readRecordedCall(recorded: RecordedCall): Exchange {
  const { id, sandbox, at, scale, method, target, headers, body, scheme, client, connection, receivedAt } =
    recorded
  const { timing, corsHeaders, key, plan, strikes, bannedUntil, bannedByHand, banAfter, events } = recorded
  const { skewMs } = recorded
  const { gate, answer, rate, limit, operation, area, intervention } = recorded.decision
  return {
    id,
    sandbox,
    at,
    scale,
    skewMs,
    call: { method, target, headers, body, scheme, client, connection, receivedAt, timing },
    reply: finish(answer, rate, httpDate(recorded.date), corsHeaders, method, intervention),
    trace: {
      gate,
      code: answer.code,
      key,
      plan,
      limit,
      strikes,
      bannedUntil,
      bannedByHand,
      banAfter,
      operation: operation?.id,
      stability: operation?.stability ?? area?.stability,
      area: area && { operation: area.id, source: area.source },
      rules: intervention?.rules,
      events,
      synthetic: intervention?.answer !== undefined,
      mismatches: answer.mismatches,
    },
    cut: recorded.cut,
  }
}

/** How much of a body is kept: bytes of a call's, UTF-16 code units of a reply's. */
export const keptBody = 16_384

export const uncut: Exchange['cut'] = { call: undefined, reply: undefined }

/** What a call costs without its texts, measured in V8. */
const overhead = 1_000

/** An estimate of the bytes that the journal keeps of a call. `headerBytes`: those of its headers. */
export function costOf({ target, body, decision }: RecordedCall, headerBytes: number): number {
  const { answer } = decision
  const isAscii = answer.octets === answer.body
  return (
    overhead +
    headerBytes +
    target.length +
    (body instanceof Uint8Array ? body.length : 0) +
    (isAscii ? answer.body.length : 2 * answer.body.length + (answer.octets?.length ?? 0)) +
    (answer.mismatches === undefined ? 0 : costOfMismatches(answer.mismatches))
  )
}

function costOfMismatches(mismatches: readonly Mismatch[]): number {
  return mismatches.reduce((sum, { asked, expected }) => sum + 100 + asked.length + expected.length, 0)
}

/** What the journal keeps of a call: long bodies and headers are cut. `headerBytes`: see `costOf`. */
export function shorten(recorded: RecordedCall, headerBytes: number): RecordedCall {
  const { body, decision } = recorded
  const { answer } = decision
  const longCall = body instanceof Uint8Array && body.length > keptBody
  const longReply = answer.body.length > keptBody
  if (!longCall && !longReply && headerBytes <= keptHeader) return recorded
  const cutAnswer = { ...answer, body: copyText(answer.body.slice(0, keptBody)), octets: undefined }
  return {
    ...recorded,
    headers: cutHeaders(recorded.headers),
    // A copy, not a view: Node's Buffer.slice would keep the whole body in memory.
    body: longCall ? new Uint8Array(body.subarray(0, keptBody)) : body,
    decision: longReply ? { ...decision, answer: cutAnswer } : decision,
    cut: { call: longCall ? body.length : undefined, reply: longReply ? answer.length : undefined },
  }
}
