import { readHttpDate } from '../../base/time/http-date.ts'
import { parseRetryAfter } from '../../base/time/retry-after.ts'
import { type Exchange, hasArrived, isRefused, mayArrive } from '../../emulator/journal/exchange.ts'
import type { Call, Connection, Reply } from '../../service/call/call.ts'
import { clip } from '../../service/call/echo.ts'
import { replyHeader } from '../../service/call/headers.ts'
import type { ObservedCall } from './observed-call.ts'

export interface Wait {
  /** When the client first learned of it: milliseconds of the client's time. */
  readonly knownAt: number
  /** Its start and end on the emulator's clock. */
  readonly from: number
  readonly until: number
  /** Its end on the client's clock. */
  readonly clientUntil: number
  /** Its end for a client that counts the whole seconds of the last `Retry-After`, which are rounded up. */
  readonly saidUntil: number
  /** Its end for a client that compares a date of the reply with its own clock. */
  readonly datedUntil: number | undefined
  /** The reset, if the scenario sets the clock off: milliseconds of the service's time. */
  readonly skewedReset: number | undefined
  /** When the ban began, on the emulator's clock. */
  readonly bannedFrom: number | undefined
  /** The plan of the key. Another plan has other limits. */
  readonly plan: string | undefined
  /** By connection: the reply that said so first, and the end that the last one said. */
  readonly knownBy: Map<Connection | undefined, Told>
}

interface Told {
  readonly delivery: ObservedCall['delivery']
  readonly until: number
  readonly clientUntil: number
  /** The `Retry-After` of the last such reply. */
  readonly said: string | undefined
}

/** Allowed milliseconds of the client's time, because timers fire early and clocks differ. */
export const toleranceMs = 100

/** A timer cannot be longer: milliseconds. Node's then fires at once. */
const longestTimer = 2 ** 31 - 1

const mostConnections = 500

/** The wait that a reply demands: 429 and 503 with `Retry-After` (RFC 9110, section 10.2.3), and the refusal of a ban. */
export function demandedWait(observed: Pick<ObservedCall, 'exchange' | 'delivery'>): Wait | undefined {
  const { exchange, delivery } = observed
  const { at, scale, call, reply, trace } = exchange
  const isGenuine = isRefused(exchange)
  if (!isGenuine && reply.status !== 429 && reply.status !== 503) return undefined
  const length = retryAfterMs(reply)
  if (length === undefined) return undefined
  // On a scaled clock, `Date` is on the client's (A08).
  const isOnOwnClock =
    (scale === 0 || scale === 1) &&
    Date.parse(replyHeader(reply, 'date') ?? '') === Math.floor(at / 1_000) * 1_000
  // For an injected or proxied response, the end on the emulator's clock is only known if `Date` is on that clock.
  const ownEnd = isOnOwnClock ? at + length : Number.POSITIVE_INFINITY
  const until = (isGenuine ? refusedUntil(exchange) : undefined) ?? ownEnd
  const reset = isGenuine ? resetMs(exchange) : undefined
  // A client may also wait until X-RateLimit-Reset, which is on the clock of `Date` (A08).
  const now = isOnOwnClock ? at : call.receivedAt + (exchange.skewMs ?? 0)
  const clientUntil = call.receivedAt + Math.min(length, reset === undefined ? length : reset - now)
  return {
    knownAt: Number.isFinite(delivery.at) ? delivery.at : call.receivedAt,
    from: at,
    until,
    clientUntil,
    saidUntil: call.receivedAt + length,
    datedUntil: datedEnd(exchange, isGenuine),
    skewedReset: exchange.skewMs === undefined ? undefined : reset,
    bannedFrom: isGenuine && trace.code === 'api_key_banned' ? at : undefined,
    plan: trace.plan,
    knownBy: new Map([[call.connection, { delivery, until, clientUntil, said: retryAfterText(reply) }]]),
  }
}

/** Merges a second `Retry-After` that arrives during a wait. A connection that had a refusal has it from before. */
export function prolong(wait: Wait, again: Wait): Wait {
  const { knownBy } = wait
  for (const [connection, told] of again.knownBy) {
    const known = knownBy.get(connection)
    if (known === undefined && knownBy.size >= mostConnections) continue
    const isFirst = known === undefined || known.delivery.at > told.delivery.at || !mayArrive(known.delivery)
    knownBy.set(connection, isFirst ? told : { ...told, delivery: known.delivery })
  }
  const { knownAt, from, bannedFrom = again.bannedFrom } = wait
  return { ...again, knownAt, from, bannedFrom, knownBy }
}

/** A lifted ban or another plan ends a wait, also if another limit refuses the next call. */
export function isGone({ bannedFrom, plan }: Wait, { trace }: Exchange): boolean {
  return trace.plan !== plan || (bannedFrom !== undefined && trace.code !== 'api_key_banned')
}

/**
 * What the refusals before a call said to its sender. On its own connection or on another one of the same caller, that is the last
 * thing said. Else it is the shortest wait.
 */
export function toldTo(
  { knownBy }: Wait,
  { connection, receivedAt }: Call,
  isOneCaller: (connection: Connection | undefined) => boolean,
): (Told & { readonly by: 'own' | 'same' | 'other' }) | undefined {
  const arrived = [...knownBy].filter(([, { delivery }]) => hasArrived(delivery, receivedAt))
  const byEnd = arrived.toSorted(([, one], [, other]) => one.clientUntil - other.clientUntil)
  const own = byEnd.find(([other]) => other === connection)?.[1]
  const same = byEnd.findLast(([other]) => isOneCaller(other))?.[1]
  if (same !== undefined && (own === undefined || same.clientUntil > own.clientUntil))
    return { ...same, by: own === undefined ? 'same' : 'own' }
  if (own !== undefined) return { ...own, by: 'own' }
  const other = byEnd[0]?.[1]
  return other && { ...other, by: 'other' }
}

/** By either clock: a client may wait by its own, and a test may move the emulator's. */
export function isOver(
  { until, clientUntil }: Pick<Wait, 'until' | 'clientUntil'>,
  { at, call }: Pick<Exchange, 'at' | 'call'>,
): boolean {
  return at >= until || call.receivedAt >= clientUntil - toleranceMs
}

/**
 * True if a client cannot wait rightly, because it compares a date with its own clock: the date is over, or too far away
 * for a timer.
 */
export function isMisdated({ datedUntil, knownAt }: Wait, { call }: Pick<Exchange, 'call'>): boolean {
  if (datedUntil === undefined) return false
  return call.receivedAt >= datedUntil - toleranceMs || datedUntil - knownAt > longestTimer
}

export function misdatedReason({ scale }: Pick<Exchange, 'scale'>): 'frozen' | 'far' {
  return scale === 0 ? 'frozen' : 'far'
}

function resetMs({ reply }: Exchange): number | undefined {
  const reset = Number(replyHeader(reply, 'x-ratelimit-reset') ?? Number.NaN) * 1_000
  return Number.isNaN(reset) ? undefined : reset
}

/**
 * The first date by which a client may think that the wait is over. Seconds of `Retry-After` are right on every clock that
 * runs; on a frozen one, no wait ends.
 */
function datedEnd(exchange: Exchange, isGenuine: boolean): number | undefined {
  const date = readHttpDate(retryAfterText(exchange.reply) ?? '', exchange.call.receivedAt)?.ms
  const isFrozen = isGenuine && exchange.scale === 0 && exchange.skewMs === undefined
  const ends = [date, isFrozen ? resetMs(exchange) : undefined].filter(end => end !== undefined)
  return ends.length === 0 ? undefined : Math.min(...ends)
}

/** The end of the ban or of the exhausted windows on the emulator's clock: the later one. Undefined: it is not known. */
export function refusedUntil({ at, trace: { limit, bannedUntil } }: Exchange): number | undefined {
  const ends = [limit?.minute, limit?.day].flatMap(window =>
    window === undefined || window.endsAt === undefined || window.used < window.limit ? [] : [window.endsAt],
  )
  if (bannedUntil !== undefined) ends.push(bannedUntil)
  return ends.length === 0 ? undefined : Math.max(at, ...ends)
}

/** The value of `Retry-After`; several lines as one, with commas (RFC 9110, section 5.3). */
export function retryAfterText({ headers }: Pick<Reply, 'headers'>): string | undefined {
  const lines: string[] = []
  for (const [name, value] of Object.entries(headers))
    if (name.length === 'retry-after'.length && name.toLowerCase() === 'retry-after') lines.push(value)
  return lines.length === 0 ? undefined : lines.join(', ')
}

/** Reads the wait of a reply in milliseconds. Two lines say nothing: their value is neither seconds nor a date. */
export function retryAfterMs(reply: Pick<Reply, 'headers'>): number | undefined {
  const text = retryAfterText(reply)
  return text === undefined ? undefined : parseRetryAfter(text, replyHeader(reply, 'date')).ms
}

const dates = {
  'imf-fixdate': 'an IMF-fixdate',
  'rfc850-date': 'an RFC 850 date, which is obsolete but valid',
  'asctime-date': 'an asctime date, which is obsolete but valid, and UTC',
} as const

const longestText = 60

/**
 * A clause that says how a `Retry-After` was written, if a client may have failed to read it. Empty for whole seconds, which
 * every client reads.
 */
export function describeForm(text: string | undefined): string {
  const what = formOf(text)
  return what === '' ? '' : `; Retry-After was ${what}`
}

function formOf(text: string | undefined): string {
  if (text === undefined) return 'missing'
  const { form, ms } = parseRetryAfter(text)
  const shown = clip(text, longestText)
  if (form === 'seconds') return ms === undefined ? `a number of ${text.length} digits` : ms === 0 ? '0' : ''
  return form === 'other' ? `neither whole seconds nor a date of HTTP: ${shown}` : `${dates[form]}: ${shown}`
}
