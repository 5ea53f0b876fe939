import { httpDate } from '../../base/time/instant.ts'
import type { Answer } from '../../service/call/answer.ts'
import type { Reply } from '../../service/call/call.ts'
import { breaksNothing, type Fault, malform } from '../../service/call/fault.ts'
import { appliedHeader, type Preferences } from '../../service/call/prefer.ts'
import type { RateLimit } from '../../service/limits/limit-headers.ts'
import { resetSeconds } from '../../service/limits/retry-after.ts'
import type { OperationId } from '../../service/operations/operations.ts'
import { judgePreferences } from '../../service/operations/preferred.ts'
import { encodeMark, unmetMark } from '../rules/injected-answer.ts'
import { expose } from './cors.ts'

/** What rules or a `Prefer` header change about a reply. */
export interface Intervention {
  readonly gate: 'prefer' | 'rule'
  readonly answer: Answer | undefined
  /** Whether the call is carried out although `answer` replaces what the API answers. */
  readonly isAfterCall: boolean
  /** The rules that acted, in order. Absent if nothing was injected. */
  readonly rules: readonly string[] | undefined
  readonly delayMs: number
  readonly fault: Fault | undefined
  readonly marks: Marks
}

/**
 * Adds the constant headers of every reply of pet-mock: the API's, the doors' refusals, the admin plane's, the proxy's
 * 502. Assignments, since a loop over a table costs every call.
 */
export function addCommonHeaders(headers: Record<string, string>): Record<string, string> {
  headers['X-Content-Type-Options'] = 'nosniff'
  return headers
}

/** Makes the reply of an answer, as an intervention changes it. `date`: the text of `Date`. */
export function finish(
  answer: Answer,
  rate: RateLimit | undefined,
  date: string,
  corsHeaders: Readonly<Record<string, string>> | undefined,
  method: string,
  intervention?: Intervention,
): Reply {
  const headers: Record<string, string> = {}
  const hasContent = answer.status !== 204 && answer.status !== 304
  if (hasContent) {
    if (answer.length > 0) headers['Content-Type'] = 'application/json'
    headers['Content-Length'] = `${answer.length}`
  }
  if (rate !== undefined) {
    if (rate.fields !== undefined) Object.assign(headers, rate.fields)
    else {
      headers['X-RateLimit-Limit'] = `${rate.limit}`
      headers['X-RateLimit-Remaining'] = `${rate.remaining}`
      headers['X-RateLimit-Reset'] = `${resetSeconds(rate.resetsAt)}`
    }
  }
  if (answer.headers !== undefined) {
    Object.assign(headers, answer.headers)
    // The API's own answers, which are JSON, need no look.
    if (answer.headers['Content-Type'] !== undefined) confinePage(headers)
  }
  if (corsHeaders !== undefined) {
    Object.assign(headers, corsHeaders)
    if (rate?.fields && headers[expose]) headers[expose] += `, ${Object.keys(rate.fields)}`
  }
  addCommonHeaders(headers)
  headers.Date = date
  const { status } = answer
  const body = hasContent && method !== 'HEAD' ? answer.body : undefined
  if (intervention === undefined)
    return { status, headers, body, octets: body === undefined ? undefined : answer.octets }
  const { delayMs, fault } = intervention
  const isSpared = fault !== undefined && breaksNothing(fault, body === undefined ? 0 : answer.length)
  return {
    status,
    headers: Object.assign(headers, markReply(intervention.marks, status, answer.headers, isSpared)),
    body: fault === 'malformed' && body !== undefined ? malform(body) : body,
    ...(delayMs > 0 && { delayMs }),
    ...(fault !== undefined && (isSpared ? { spared: fault } : { fault })),
  }
}

/** Formats a date once a second: that costs more than all other headers. */
export function createDateText(): (date: number) => string {
  let lastSecond = Number.NaN
  let text = ''
  return date => {
    const second = Math.floor(date / 1_000)
    if (second !== lastSecond) {
      lastSecond = second
      text = httpDate(date)
    }
    return text
  }
}

/** A page at the address of the API could read the admin plane, which has the same origin. This gives it an origin of its own. */
export const sandboxed = { 'Content-Security-Policy': 'sandbox' }

/** It lets a service worker of the API have the admin plane's paths, too. */
export const workerScope = 'service-worker-allowed'

/** Confines what a browser could run: an answer of a rule or of an open area may have any type. */
function confinePage(headers: Record<string, string>): void {
  if (!/html|xml|script/i.test(headers['Content-Type'] ?? '')) return
  const own = headers['Content-Security-Policy']
  const { 'Content-Security-Policy': policy } = sandboxed
  headers['Content-Security-Policy'] = own === undefined ? policy : `${own}, ${policy}`
  delete headers['Service-Worker-Allowed']
}

/** What a reply says about an intervention. The journal keeps it, so it must not refer to the call. */
export interface Marks {
  /** What `X-Pet-Mock` names, before the preferences that are not met. */
  readonly acting: string | undefined
  /** Whether a fault acts without an answer. */
  readonly isFaultOnly: boolean
  readonly preferences?: Preferences | undefined
  /** The operation that the preferences are about. */
  readonly operation?: OperationId | undefined
  /** Whether `X-Pet-Mock` marks replies. */
  readonly isShown: boolean
}

/** The headers that report an intervention to the client. `known`: those of the answer. `isSpared`: the fault breaks nothing. */
function markReply(
  { acting, isFaultOnly, preferences, operation, isShown }: Marks,
  status: number,
  known: Answer['headers'],
  isSpared: boolean,
): Readonly<Record<string, string>> {
  const own = isSpared && isFaultOnly ? undefined : acting
  const judged = preferences && judgePreferences(preferences, operation, status, known?.[appliedHeader])
  const { met = [], unmet = [] } = judged ?? {}
  const mark = [own ?? known?.['X-Pet-Mock'] ?? '', markUnmet(unmet)].filter(text => text !== '')
  return {
    ...(met.length > 0 && { [appliedHeader]: met.join(', ') }),
    ...(isShown && mark.length > 0 && { 'X-Pet-Mock': mark.join('; ') }),
  }
}

export function markUnmet(unmet: readonly { readonly text: string }[]): string {
  return unmet.length === 0 ? '' : `${unmetMark} ${encodeMark(unmet.map(({ text }) => text).join(', '))}`
}
