import { copyText } from '../../base/text/copy-text.ts'
import { httpDate } from '../../base/time/instant.ts'
import { type Answer, reply } from '../../service/call/answer.ts'
import type { Call, Connection } from '../../service/call/call.ts'
import { faultName, faultTraits } from '../../service/call/fault.ts'
import type { RateLimit } from '../../service/limits/limit-headers.ts'
import type { WindowName, WindowReading } from '../../service/limits/limiter.ts'
import { finish, type Intervention } from '../replies/finish-reply.ts'
import type { Decision, Exchange, Gate } from './exchange.ts'

const uncut: Exchange['cut'] = { call: undefined, reply: undefined }

/**
 * What the journal keeps of a call: enough to make its exchange when somebody reads it, and no more. A full journal
 * writes over its oldest one: objects that are new with each call and live for a thousand would all be copied by the
 * garbage collector. So numbers stand here, not in objects.
 */
export class RecordedCall {
  id = 0
  sandbox = ''
  /** The emulator's time. */
  at = 0
  scale = 1
  /** The instant of the `Date` header. */
  date = 0
  /** How far it is ahead of the client's clock by the scenario's offset. */
  skewMs: number | undefined
  method = ''
  target = ''
  headers: readonly string[] = []
  body: Call['body']
  scheme: Call['scheme'] = 'http'
  client = ''
  connection: Connection | undefined
  receivedAt = 0
  /** Not a number if the door gives none: a number that may be absent would be an object for each call. */
  order = Number.NaN
  timing: Call['timing']
  corsHeaders: Readonly<Record<string, string>> | undefined
  key: string | undefined
  plan: string | undefined
  strikes = 0
  bannedUntil: number | undefined
  bannedByHand: boolean | undefined
  banAfter: number | undefined
  events: readonly string[] | undefined
  gate: Gate = 'failure'
  answer: Answer = nothing
  operation: Decision['operation']
  area: Decision['area']
  intervention: Decision['intervention']
  readonly rate = {
    isThere: false,
    limit: 0,
    remaining: 0,
    resetsAt: 0,
    fields: undefined as RateLimit['fields'],
  }
  readonly limit = {
    isThere: false,
    accepted: false,
    reported: 'minute' as WindowName,
    minute: noReading(),
    day: noReading(),
  }
  cut: Exchange['cut'] = uncut

  decide({ gate, answer, rate, limit, operation, area, intervention }: Decision): void {
    this.cut = uncut
    this.gate = gate
    this.answer = answer
    this.operation = operation
    this.area = area
    this.intervention = intervention
    this.rate.isThere = rate !== undefined
    if (rate !== undefined) {
      this.rate.limit = rate.limit
      this.rate.remaining = rate.remaining
      this.rate.resetsAt = rate.resetsAt
      this.rate.fields = rate.fields
    }
    this.limit.isThere = limit !== undefined
    if (limit === undefined) return
    this.limit.accepted = limit.accepted
    this.limit.reported = limit.reported
    copyReading(limit.minute, this.limit.minute)
    copyReading(limit.day, this.limit.day)
  }
}

const nothing: Answer = reply(204, '')

type KeptReading = { -readonly [Name in keyof WindowReading]: WindowReading[Name] }

function noReading(): KeptReading {
  return { limit: 0, used: 0, others: 0, endsAt: undefined, openedBy: undefined }
}

function copyReading(from: WindowReading, to: KeptReading): void {
  to.limit = from.limit
  to.used = from.used
  to.others = from.others
  to.endsAt = from.endsAt
  to.openedBy = from.openedBy
}

export function readRecordedCall(recorded: RecordedCall): Exchange {
  const { id, sandbox, at, scale, method, target, headers, body, scheme, client, connection, receivedAt } =
    recorded
  const { timing, corsHeaders, key, plan, strikes, bannedUntil, bannedByHand, banAfter, events } = recorded
  const { skewMs } = recorded
  const order = Number.isNaN(recorded.order) ? undefined : recorded.order
  const { gate, answer, rate, limit, operation, area, intervention } = recorded
  const { accepted, reported, minute, day } = limit
  const sentRate = rate.isThere ? rate : undefined
  return {
    id,
    sandbox,
    at,
    scale,
    skewMs,
    call: { method, target, headers, body, scheme, client, connection, receivedAt, order, timing },
    reply: finish(answer, sentRate, httpDate(recorded.date), corsHeaders, method, intervention),
    trace: {
      gate,
      code: answer.code,
      key,
      plan,
      limit: limit.isThere ? { accepted, minute: { ...minute }, day: { ...day }, reported } : undefined,
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
      ...(intervention !== undefined && isLost(intervention) && { isLost: true }),
      mismatches: answer.mismatches,
    },
    cut: recorded.cut,
  }
}

function isLost({ answer, isAfterCall, fault }: Intervention): boolean {
  const isBefore = answer !== undefined && !isAfterCall && fault !== undefined
  return isBefore && faultTraits[faultName(fault)].arrives === 'nothing'
}

/** How much of a body is kept: bytes of a call's, UTF-16 code units of a reply's. */
export const keptBody = 16_384

/** What a call costs without its texts, measured in V8. */
const overhead = 1_000

/** An estimate of the bytes that the journal keeps of a call. `headerBytes`: those of its headers. */
export function costOf({ target, body, answer }: RecordedCall, headerBytes: number): number {
  const isAscii = answer.octets === answer.body
  return (
    overhead +
    headerBytes +
    target.length +
    (body instanceof Uint8Array ? body.length : 0) +
    (isAscii ? answer.body.length : 2 * answer.body.length + (answer.octets?.length ?? 0)) +
    (answer.mismatches?.reduce((sum, { asked, expected }) => sum + 100 + asked.length + expected.length, 0) ??
      0)
  )
}

/** Cuts long bodies and headers. Returns the bytes of the headers that are left; `headerBytes`: of all. */
export function shorten(recorded: RecordedCall, headerBytes: number): number {
  const { body, answer, headers } = recorded
  const longCall = body instanceof Uint8Array && body.length > keptBody
  const longReply = answer.body.length > keptBody
  if (!longCall && !longReply && headerBytes <= keptHeader) return headerBytes
  recorded.headers = cutHeaders(headers)
  // A copy, not a view: Node's Buffer.slice would keep the whole body in memory.
  if (longCall) recorded.body = new Uint8Array(body.subarray(0, keptBody))
  if (longReply)
    recorded.answer = { ...answer, body: copyText(answer.body.slice(0, keptBody)), octets: undefined }
  recorded.cut = { call: longCall ? body.length : undefined, reply: longReply ? answer.length : undefined }
  return recorded.headers === headers ? headerBytes : sizeOfHeaders(recorded.headers)
}

/** How much is kept of one header and of all headers of a call, in UTF-16 code units. */
export const keptHeader = 2_048
export const keptHeaders = 16_384

/** What a text costs besides its characters, in bytes. */
const textOverhead = 24

export function sizeOfHeaders(headers: readonly string[]): number {
  let size = 0
  for (const text of headers) size += textOverhead + text.length
  return size
}

/** The name of the header that says how many headers were left out. */
const cutMark = 'x-pet-mock-cut'

/**
 * Cuts long headers, and leaves out those beyond the limit of a call. Each cut has a mark that people see. Returns the
 * same list if nothing is too long.
 */
export function cutHeaders(headers: readonly string[]): readonly string[] {
  if (!areTooLong(headers)) return headers
  const kept: string[] = []
  let length = 0
  for (let index = 0; index < headers.length; index += 2) {
    const pair = [cutText(headers[index] ?? ''), cutText(headers[index + 1] ?? '')]
    length += pair.join('').length
    if (length > keptHeaders) {
      kept.push(cutMark, `[${(headers.length - index) / 2} more headers are not kept]`)
      break
    }
    kept.push(...pair)
  }
  return kept
}

function areTooLong(headers: readonly string[]): boolean {
  let length = 0
  for (const text of headers) {
    if (text.length > keptHeader) return true
    length += text.length
  }
  return length > keptHeaders
}

function cutText(text: string): string {
  if (text.length <= keptHeader) return text
  return copyText(`${text.slice(0, keptHeader)} [cut, ${text.length} characters]`)
}
