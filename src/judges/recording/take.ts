import { readJson } from '../../base/json/read.ts'
import type { JsonValue } from '../../base/json/value.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { readTarget } from '../../service/call/target.ts'
import { type WindowName, windowLengths } from '../../service/limits/limiter.ts'
import { roleOf } from '../../service/operations/operations.ts'
import { operationAt } from '../../service/operations/routes.ts'
import { type Quota, shippedPlans } from '../../service/plans/plan.ts'
import type { LeftOutList } from '../exchanges/left-out.ts'
import { bodyText, byName, replyByName } from '../exchanges/texts.ts'
import { type Cleaner, mostKeys } from './cleaner.ts'

export type Take = ReturnType<typeof takesOf>[number]

/** Methods that a walkthrough can send. */
const methods = /^[A-Z][A-Z-]{0,31}$/
const targets = /^\/[\x21\x22\x24-\x7e]*$/
const longestTarget = 2_000

/** Calls of one recording. */
export const mostCalls = 2_000

/** The calls in the order in which they were sent; those that a walkthrough cannot make are left out. */
export function takesOf(exchanges: readonly Exchange[], cleaner: Cleaner, leftOut: LeftOutList) {
  const inOrder = exchanges.toSorted((one, other) => one.call.receivedAt - other.call.receivedAt)
  const timeOf = clockOf(inOrder)
  const usable = inOrder.flatMap(exchange => {
    const { call } = exchange
    const key = cleaner.keyOf(exchange)
    const reason = whyNot(exchange) ?? (key === undefined ? `there are more than ${mostKeys} keys` : '')
    if (key === undefined || reason !== '') {
      leftOut.add(reason, `${call.method} ${cleaner.text(readTarget(call.target).path)}`)
      return []
    }
    /** The second in which the service answered, in milliseconds. Limits and bans of the emulator are exact to the second. */
    const at = timeOf(exchange)
    // The key is a pseudonym; null: none.
    return [{ exchange, take: { ...takeOf(exchange, cleaner, leftOut), at, key } }]
  })
  const clusters = clustersOf(usable.map(({ exchange }) => exchange))
  // Calls that were under way at the same time have the same number; undefined: it was alone.
  return usable.map(({ take }, index) => ({ ...take, index, cluster: clusters[index] }))
}

/**
 * The clock of all calls. The service computes Reset and Retry-After by the time of its Date. An archive says when the program
 * began a call, perhaps in the second before. Only if an answer has no Date of its own, that must do.
 */
function clockOf(exchanges: readonly Exchange[]): (exchange: Exchange) => number {
  const dateOf = ({ reply: { headers } }: Exchange) =>
    headers.Age === undefined ? Date.parse(headers.Date ?? '') : Number.NaN
  const hasDates = exchanges.every((exchange, index) => {
    const before = exchanges[index - 1]
    // Calls under way together may be answered in another order.
    return dateOf(exchange) >= (before === undefined ? 0 : dateOf(before) - 1_000)
  })
  return exchange => (hasDates ? dateOf(exchange) : Math.floor(exchange.call.receivedAt / 1_000) * 1_000)
}

function clustersOf(exchanges: readonly Exchange[]): readonly (number | undefined)[] {
  let lastAnswer = Number.NEGATIVE_INFINITY
  let current = 0
  const numbers = exchanges.map(({ call: { receivedAt }, answeredAt = receivedAt }) => {
    if (receivedAt >= lastAnswer) current += 1
    lastAnswer = Math.max(lastAnswer, answeredAt)
    return current
  })
  return numbers.map((number, index) =>
    number === numbers[index - 1] || number === numbers[index + 1] ? number : undefined,
  )
}

/** Why a walkthrough cannot repeat a call; undefined if it is complete. */
export function whyIncomplete({ reply, trace, cut }: Exchange): string | undefined {
  const { status, fault } = reply
  if (status < 200 || status > 599 || fault !== undefined || trace.gate === 'failure')
    return 'there is no complete answer'
  return cut.call === undefined ? undefined : 'the body of the call was not kept'
}

function whyNot(exchange: Exchange): string | undefined {
  const { method, target, headers } = exchange.call
  const incomplete = whyIncomplete(exchange)
  if (incomplete !== undefined) return incomplete
  if (!methods.test(method) || !targets.test(target)) return 'a walkthrough cannot write this request line'
  if (target.length > longestTarget) return `the request target is longer than ${longestTarget} characters`
  if (method === 'OPTIONS') return 'OPTIONS: browsers send it by themselves'
  const isConditional = headers.some(name => /^if-(?:none-match|modified-since)$/i.test(name))
  return exchange.reply.status === 304 || isConditional
    ? 'a conditional request, which the emulator answers in full'
    : undefined
}

function takeOf({ call, reply }: Exchange, cleaner: Cleaner, leftOut: LeftOutList) {
  const target = cleaner.target(call.target, name => leftOut.add('the value of a secret parameter', name))
  const operation = operationAt(readTarget(target).path, call.method)
  const json = reply.body === undefined ? undefined : jsonOf(cleaner.body(reply.body))
  const body = bodyText(call.body)
  return {
    method: call.method,
    target,
    /** Only those that change the answer. */
    headers: keptHeaders(byName(call.headers), body !== undefined, cleaner, leftOut),
    body: roleOf(operation) === 'create' && body !== undefined ? bodyOf(cleaner.body(body)) : undefined,
    operation,
    status: reply.status,
    answer: replyByName(reply),
    json,
    code: codeOf(reply.status, json),
  }
}

function keptHeaders(
  headers: Readonly<Record<string, string>>,
  hasBody: boolean,
  cleaner: Cleaner,
  leftOut: LeftOutList,
): Readonly<Record<string, string>> {
  const type = headers['content-type']
  const isUsual = type === undefined || /^application\/json(?:; *charset=utf-8)?$/i.test(type)
  const named = {
    ...(!isUsual && hasBody && { 'Content-Type': type }),
    ...(headers.prefer !== undefined && { Prefer: headers.prefer }),
  }
  const kept = Object.entries(named).flatMap(([name, value]) => {
    const shown = cleaner.text(value)
    if (cleaner.body(shown) === shown) return /^[\t\x20-\x7e]*$/.test(shown) ? [[name, shown]] : []
    leftOut.add('a header that holds a secret', name)
    return []
  })
  return Object.fromEntries(kept)
}

/** A body that is not JSON is sent as it is. */
function bodyOf(text: string): JsonValue {
  const json = jsonOf(text)
  return json === undefined || typeof json === 'string' ? text : json
}

/** Undefined for numbers such as 1e400, which no scenario can hold. */
function jsonOf(text: string): JsonValue | undefined {
  const read = readJson(text)
  return 'problem' in read || !isExact(read.value) ? undefined : read.value
}

function isExact(value: JsonValue): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact)
}

function codeOf(status: number, json: JsonValue | undefined): string | undefined {
  const code = status >= 400 && typeof json === 'object' && json !== null && 'code' in json && json.code
  return typeof code === 'string' && /^[a-z][a-z0-9_.-]{0,59}$/i.test(code) ? code : undefined
}

export type RateReading = NonNullable<ReturnType<typeof readRate>>

/** What the limit headers of an answer say; `resetsAt` in milliseconds. */
export function readRate({ answer }: Take) {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map(name =>
    wholeNumber(answer[`x-ratelimit-${name}`]),
  )
  if (limit === undefined || remaining === undefined) return undefined
  return { limit, remaining, resetsAt: reset === undefined ? undefined : reset * 1_000 }
}

/** Seconds; undefined if it is absent or a date. */
export function readRetryAfter({ answer }: Take): number | undefined {
  return wholeNumber(answer['retry-after'])
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined
}

export function isLimited({ status, code }: Take): boolean {
  return status === 429 && code !== 'api_key_banned'
}

export function isBanned({ code }: Take): boolean {
  return code === 'api_key_banned'
}

/** The plan that has this limit, and the window that the limit is for. */
export function findWindow(
  { limit, resetsAt }: RateReading,
  at: number,
): { readonly plan: string | undefined; readonly window: WindowName } {
  const isLong = resetsAt !== undefined && resetsAt - at > windowLengths.minute + 1_000
  const likely: readonly WindowName[] = isLong ? ['day'] : ['minute', 'day']
  for (const window of likely)
    for (const [plan, quota] of Object.entries<Quota>(shippedPlans))
      if (quota[window] === limit) return { plan, window }
  return { plan: undefined, window: isLong ? 'day' : 'minute' }
}
