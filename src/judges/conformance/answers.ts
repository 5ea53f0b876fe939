import { contains } from '../../base/json/contains.ts'
import { isJsonObject } from '../../base/json/is-object.ts'
import { jsonIn } from '../../base/json/read.ts'
import type { JsonObject, JsonValue } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import { formatShare } from '../../base/text/quantities.ts'
import { secondsApart } from '../../base/time/apart.ts'
import { readHttpDate } from '../../base/time/http-date.ts'
import { hasLink } from '../../service/call/link.ts'
import { type Quota, shippedPlans } from '../../service/plans/plan.ts'
import type { Severity } from '../report/finding.ts'
import type { WholeAnswer } from '../walkthrough/target.ts'
import type { CheckId } from './checks.ts'
import { type CheckRequest, hasKey } from './requests.ts'

export interface CheckedCall extends WholeAnswer {
  readonly request: CheckRequest
  /** Whether a byte order mark came before `text`. */
  readonly hasMark: boolean
  /** Undefined if the body is not JSON. */
  readonly json: JsonValue | undefined
  /** Records a check. `detail` says what was seen, as a sentence without its full stop. */
  readonly check: (id: CheckId, passes: boolean, detail: string) => void
}

/** A body without its byte order mark (RFC 8259, section 8.1). */
export function readBody(body: string): Pick<CheckedCall, 'text' | 'hasMark' | 'json'> {
  const hasMark = body.startsWith('\ufeff')
  const text = hasMark ? body.slice(1) : body
  return { text, hasMark, json: jsonIn(text) }
}

export function petsOf({ json }: CheckedCall): readonly JsonObject[] {
  return Array.isArray(json) ? json.filter(isJsonObject) : []
}

export function idsOf(call: CheckedCall): readonly string[] {
  return petsOf(call).map(({ id }) => show(id))
}

export function petOf({ json }: CheckedCall): JsonObject | undefined {
  return isJsonObject(json) ? json : undefined
}

export function show(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing'
  return typeof value === 'string' ? `“${value}”` : writeJson(value)
}

type Headers = WholeAnswer['headers']

/** A Retry-After header (RFC 9110, section 10.2.3). */
type RetryAfter = { readonly ms: number } | { readonly wrong: string }

/** Reads Retry-After. `serviceTime` is the service's time in epoch milliseconds. Undefined without the header. */
export function retryAfterOf({ 'retry-after': text }: Headers, serviceTime: number): RetryAfter | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) {
    const date = readHttpDate(text, serviceTime)
    return date === undefined ? { wrong: `Retry-After is ${text}` } : { ms: date.ms - serviceTime }
  }
  const seconds = Number(text)
  const looksLike = (unit: string) => ({ wrong: `Retry-After is ${text}, which looks like ${unit}` })
  // A day is the longest window. Nobody means 20 years of seconds.
  if (Math.abs(seconds * 1_000 - serviceTime) < 2 * 86_400_000) return looksLike('a Unix timestamp')
  return { ms: seconds * 1_000 }
}

/** The wait in milliseconds; undefined if the header is missing or unreadable. */
export function retryMs(headers: Headers, serviceTime: number): number | undefined {
  const reading = retryAfterOf(headers, serviceTime)
  return reading !== undefined && 'ms' in reading ? Math.max(0, reading.ms) : undefined
}

/** The rate limit of the caller, from the headers of a response. */
export type Standing = NonNullable<ReturnType<typeof readStanding>>

export const limitHeaders = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const

/** Undefined without readable headers. `now` is this machine's time, in epoch milliseconds; `reset` is in epoch seconds. */
export function readStanding({ status, headers }: WholeAnswer, now: number) {
  const [limitText = '', remainingText = '', resetText = ''] = limitHeaders.map(name => headers[name] ?? '')
  if (![limitText, remainingText].every(text => /^\+?\d{1,15}$/.test(text))) return undefined
  // Only an assumption says that Reset is a whole number.
  if (!/^\d{1,15}(?:\.\d+)?$/.test(resetText)) return undefined
  const [limit, remaining, reset] = [Number(limitText), Number(remainingText), Number(resetText)]
  const time = serviceTime(headers, now)
  const untilReset = Math.max(1_000, Math.ceil(reset * 1_000 - time))
  const waitMs = remaining > 0 && status !== 429 ? undefined : (retryMs(headers, time) ?? untilReset)
  /** When requests are accepted again, in this machine's time; undefined while requests are left. */
  const blockedUntil = waitMs === undefined ? undefined : now + waitMs
  return { limit, remaining, reset, blockedUntil }
}

/** Whether Reset is an epoch in seconds, of the years 2001 to 5138. */
export function isEpochSeconds(reset: number): boolean {
  return reset >= 1e9 && reset < 1e11
}

/** How long to wait before the next request, in milliseconds. */
export function pauseMs(standing: Standing | undefined, now: number): number {
  return Math.max(0, (standing?.blockedUntil ?? now) - now)
}

/** Two clocks differ, and Date is rounded down to a second. */
const tolerance = 5_000
/** Without Date, this machine's clock is used for the service's. */
const toleranceWithoutDate = 300_000

/** How far two instants of the service may differ though nothing is wrong, in milliseconds. */
export function spareMs(headers: Headers): number {
  return Number.isNaN(Date.parse(headers.date ?? '')) ? toleranceWithoutDate : tolerance
}

/** The service's time from Date, or else this machine's, in epoch milliseconds. */
export function serviceTime(headers: Headers, now: number): number {
  const date = Date.parse(headers.date ?? '')
  return Number.isNaN(date) ? now : date
}

/** Undefined for a plan that the specification does not have. */
export function quotaOf(plan: string | undefined): Quota | undefined {
  return plan === undefined ? undefined : new Map<string, Quota>(Object.entries(shippedPlans)).get(plan)
}

/** A note up to here. Above, clients notice. */
const tolerableShare = 0.05
/** Fewer lost calls do not show that an operation never answers. */
const enoughLost = 3

/** Whether a gateway or a restart may have sent this. It says nothing about the API. 501 refuses a method. */
export function isOutage(status: number): boolean {
  return status >= 500 && status !== 501
}

/** Each once: `500 or no answer`. */
export function eitherOf(got: Iterable<string>): string {
  return [...new Set(got)].join(' or ')
}

/** Counts the calls that got no answer, or 5xx, before anything else is judged: they amount to one finding. */
export class Availability {
  #calls = 0
  #lost = 0
  readonly #got = new Set<string>()
  /** By operation, such as `POST /pets`. `got`: what its lost calls got. */
  readonly #operations = new Map<string, { answered: number; lost: number; readonly got: Set<string> }>()
  /** What each request got that failed when everything else did not. */
  readonly #unanswered = new Map<string, string>()

  addUnanswered(request: string, got: string): void {
    this.#unanswered.set(request, got)
  }

  /** `got`: what a lost call got, such as `500` or `no answer (hang)`. */
  add(operation: string, got?: string): void {
    const entry = this.#operations.get(operation) ?? { answered: 0, lost: 0, got: new Set() }
    this.#operations.set(operation, entry)
    this.#calls += 1
    if (got === undefined) entry.answered += 1
    else {
      entry.lost += 1
      this.#lost += 1
      for (const all of [entry.got, this.#got]) all.add(got)
    }
  }

  /** What the calls of an operation got that lost several and answered none. */
  lossOf(operation: string): string | undefined {
    const { answered, lost, got } = this.#operations.get(operation) ?? { answered: 0, lost: 0, got: [] }
    return answered === 0 && lost >= enoughLost ? eitherOf(got) : undefined
  }

  get severity(): Severity {
    return this.#down.size > 0 || this.#lost > this.#calls * tolerableShare ? 'error' : 'info'
  }

  get about(): string {
    const share = `${((this.#lost / Math.max(1, this.#calls)) * 100).toFixed(1)} %`
    const counted = `${this.#lost} of ${this.#calls} calls (${share}) got ${eitherOf(this.#got)}.`
    const down = Array.from(this.#down, ([name, got]) => `${name} got ${got}`)
    return down.length === 0
      ? `${counted} Up to ${tolerableShare * 100} % are a note.`
      : `${counted} ${down.join(', ')} each time.`
  }

  /** The operations and requests that were never answered, with what they got. */
  get #down(): ReadonlyMap<string, string> {
    const operations = [...this.#operations.keys()].map(name => [name, this.lossOf(name) ?? ''] as const)
    return new Map([...operations.filter(([, got]) => got !== ''), ...this.#unanswered])
  }
}

interface LimitContext {
  /** Undefined: not known. */
  readonly plan: string | undefined
  /** This machine's time, in epoch milliseconds. */
  readonly now: number
  /** How long the response may have been under way, in milliseconds. */
  readonly latency?: number
  /** Whether the specification describes no such request. */
  readonly isElsewhere?: boolean
}

const minute = 60
/** A day on which the clocks are put back. */
const day = 25 * 3_600

/** Checks the rate limit headers of a response, each by itself. `counts.ts` compares those of several responses. */
export function checkLimitHeaders(call: CheckedCall, context: LimitContext): void {
  const { headers, check } = call
  const missing = limitHeaders.filter(name => headers[name] === undefined)
  const id = context.isElsewhere ? 'limit-headers-elsewhere' : 'limit-headers'
  check(id, missing.length === 0, `without ${missing.join(' and ')}`)
  // A caller without a key has no plan: only the presence is specified.
  if (missing.length > 0 || !hasKey(call.request)) return
  const [limit = '', remaining = '', reset = ''] = limitHeaders.map(name => headers[name])
  const lines = [`x-ratelimit-limit: ${limit}`, `x-ratelimit-remaining: ${remaining}`]
  const wrong = lines.filter(line => !/: \+?\d{1,19}$/.test(line))
  const odd = lines.filter(line => !/: (?:0|[1-9]\d*)$/.test(line))
  check('limit-integers', wrong.length === 0, wrong.join(', '))
  if (wrong.length === 0) check('limit-plain', odd.length === 0, odd.join(', '))
  if (wrong.length === 0) checkNumbers(call, Number(limit), Number(remaining), context)
  checkReset(call, reset, Number(limit), context)
}

function checkNumbers(call: CheckedCall, limit: number, remaining: number, { plan }: LimitContext): void {
  const { status, check } = call
  check('limit-remaining-range', remaining <= limit, `${formatShare(remaining, limit)} remain`)
  // The quotas of Enterprise are custom.
  const quota = plan === 'enterprise' || status === 401 ? undefined : quotaOf(plan)
  if (quota === undefined) return
  const isOfPlan = limit === quota.minute || limit === quota.day
  const detail = `${limit}, but ${plan} has ${quota.minute} and ${quota.day}: is --plan right?`
  check('limit-of-plan', isOfPlan, detail)
}

function checkReset(call: CheckedCall, text: string, limit: number, context: LimitContext): void {
  const { status, headers, check } = call
  const { plan, now, latency = 0 } = context
  const reset = /^\d{1,18}(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  const isSeconds = isEpochSeconds(reset)
  const guess = Number.isNaN(reset)
    ? 'which is no number'
    : reset >= 1e11
      ? 'which looks like milliseconds'
      : 'which looks like the seconds left'
  check('limit-reset-seconds', isSeconds, `X-RateLimit-Reset is ${text}, ${guess}`)
  if (!isSeconds) return
  const time = serviceTime(headers, now)
  const quota = quotaOf(plan)
  const isMinute = plan !== 'enterprise' && quota?.minute === limit && status < 400
  const spare = spareMs(headers) + latency
  // Wrong by the service's clock and by this machine's.
  const isAhead = reset * 1_000 >= Math.min(time, now) - spare
  // A ban ends when it ends.
  const isNear =
    status === 429 || reset * 1_000 <= Math.max(time, now) + (isMinute ? minute : day) * 1_000 + spare
  const window = isMinute && !isNear ? ', and the limit is per minute' : ''
  const ahead = Math.round(reset - Math.floor(time / 1_000))
  const detail = `X-RateLimit-Reset is ${secondsApart(ahead)} Date${window}`
  check('limit-reset-ahead', isAhead && isNear, detail)
}

export function checkRefusal(call: CheckedCall, now: number): void {
  const { headers, check, request } = call
  const caching = headers['cache-control'] ?? 'missing'
  check('retry-not-stored', /\bno-store\b/.test(caching), `Cache-Control is ${caching}`)
  const remaining = headers['x-ratelimit-remaining']
  if (remaining !== undefined) check('limit-remaining-zero', remaining === '0', `${remaining} remain`)
  const time = serviceTime(headers, now)
  const retry = retryAfterOf(headers, time)
  check('retry-missing', retry !== undefined, 'Retry-After is missing')
  if (retry === undefined) return
  const isReadable = 'ms' in retry
  const reset = Number(headers['x-ratelimit-reset'])
  const untilReset = reset * 1_000 - time
  // Nobody waits for 50 minutes where Reset is 3 s ahead.
  const isMilliseconds =
    isReadable && retry.ms >= 1_000_000 && untilReset > 0 && Math.abs(retry.ms / 1_000 - untilReset) <= 2_000
  const guess = isMilliseconds ? ', which looks like milliseconds' : ''
  const told = `Retry-After is ${headers['retry-after']}`
  check('retry-format', isReadable && !isMilliseconds, isReadable ? told + guess : retry.wrong)
  if (!isReadable) return
  const seconds = Math.round(retry.ms / 1_000)
  check('retry-past', retry.ms >= -spareMs(headers), `${told}, ${-seconds} s ago`)
  check('retry-ahead', seconds >= 1, `${told}, ${seconds} s ahead`)
  if (!Number.isFinite(reset) || !hasKey(request)) return
  const apart = Math.round((retry.ms - untilReset) / 1_000)
  check('retry-agrees', Math.abs(apart) <= 1, `Retry-After ends ${secondsApart(apart)} X-RateLimit-Reset`)
}

const hour = 3_600_000
const removal = Date.UTC(2030, 11, 5)

/** 5 December 2030 in any time zone: the specification names none. */
export const removalDay = { from: removal - 14 * hour, to: removal + 36 * hour }

/** Checks what getPet says about its removal. Only the date is specified. */
export function checkDeprecation({ headers, check }: CheckedCall): void {
  const { sunset, link = 'missing' } = headers
  const at = Date.parse(sunset ?? '')
  const isDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(sunset ?? '')
  const isMidnight = sunset === 'Thu, 05 Dec 2030 00:00:00 GMT'
  check('deprecation-sunset', isDate && isMidnight, `Sunset is ${sunset ?? 'missing'}`)
  if (!Number.isNaN(at)) {
    const isDay = at >= removalDay.from && at <= removalDay.to
    check('deprecation-date', isDay, `Sunset is ${sunset}`)
  }
  check('deprecation-successor', hasLink(headers.link, 'successor-version'), `Link is ${link}`)
}

/** The fields of the specification. Others may be anything, and change with every response. */
const specified = ['id', 'name', 'categoryId', 'status'] as const

/** Whether a response has an animal as it is known. */
export function showsPet(call: CheckedCall, known: JsonObject): boolean {
  return call.status === 200 && fieldsOf(petOf(call) ?? {}, known).length === 0
}

/** Checks the fields of an animal. Digits that a double loses fail a check of their own. */
export function checkFields(call: CheckedCall, known: JsonObject, id: CheckId): void {
  const fields = fieldsOf(petOf(call) ?? {}, known)
  const say = (texts: typeof fields) => texts.map(({ text }) => text).join('; ')
  const changed = fields.filter(({ isRounded, isSpaces }) => !isRounded && !isSpaces)
  const spaces = fields.filter(({ isSpaces }) => isSpaces)
  const rounded = fields.filter(({ isRounded }) => isRounded)
  call.check(id, changed.length === 0, say(changed))
  if (hasSpaces.test(String(known.name))) call.check('create-spaces', spaces.length === 0, say(spaces))
  if (Object.values(known).some(value => typeof value === 'bigint'))
    call.check('int64-exact', rounded.length === 0, say(rounded))
}

/** The fields that differ from what is known, as sentences without their full stop. */
function fieldsOf(found: JsonObject, known: JsonObject) {
  const words = String(known.name).split(hasSpaces)
  // What a name may become in a service that joins its spaces and lines.
  const joined = words.map(word => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('\\s*')
  return specified.flatMap(name => {
    const [value, other] = [known[name], found[name]]
    if (value === undefined || contains(other, value)) return []
    const isRounded = typeof value === 'bigint' && Number(value) === Number(other)
    const isSpaces = name === 'name' && new RegExp(`^${joined}$`).test(String(other))
    return [{ isRounded, isSpaces, text: `${name} is ${show(other)}, not ${show(value)}` }]
  })
}

const hasSpaces = / {2,}|[\r\n]+/

/** A filtered page has one status. Whether it has animals without one is an assumption. */
export function checkStatus(page: CheckedCall, status: string, id: CheckId): void {
  const other = petsOf(page).find(pet => pet.status !== undefined && pet.status !== status)
  page.check(id, !other, `the animal ${show(other?.id)} has the status ${show(other?.status)}, not ${status}`)
  const bare = petsOf(page).find(pet => pet.status === undefined)
  page.check('list-filter-absent', !bare, `the animal ${show(bare?.id)} has no status`)
}

export function lengthOf({ json }: CheckedCall): number {
  return Array.isArray(json) ? json.length : 0
}
