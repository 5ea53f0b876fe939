import { readHttpDate } from '../../base/time/http-date.ts'
import { type Exchange, isRefused } from '../../emulator/journal/exchange.ts'
import { type Delivery, hasArrived, mayArrive } from './delivery.ts'
import { type ObservedCall, replyHeader } from './observed-call.ts'
import { retryAfterMs, retryAfterText } from './retry-after-dialect.ts'

/** A time in which a caller must wait. */
export interface Wait {
  /** When the client first learned of it: milliseconds of the client's time. */
  readonly knownAt: number
  /** Its start and end on the emulator's clock. */
  readonly from: number
  readonly until: number
  /** Its end on the client's clock. */
  readonly clientUntil: number
  /** Its end for a client that compares a date of the reply with its own clock. */
  readonly datedUntil: number | undefined
  /** The reset, if the scenario sets the clock off: milliseconds of the service's time. */
  readonly skewedReset: number | undefined
  /** When the ban began, on the emulator's clock. */
  readonly bannedFrom: number | undefined
  /** By actor: the reply that it learned it from, and the end of its own wait. */
  readonly knownBy: Map<number, Told>
}

interface Told {
  readonly delivery: Delivery
  readonly until: number
  readonly clientUntil: number
  /** The `Retry-After` of the last such reply. */
  readonly said: string | undefined
}

/** Allowed milliseconds of the client's time, because timers fire early and clocks differ. */
const toleranceMs = 100

/** A burst may go on for this many milliseconds after its first refusal. */
const longestBurst = 1_000

/** A timer cannot be longer: milliseconds. Node's then fires at once. */
const longestTimer = 2 ** 31 - 1

const mostActors = 500

/** The wait that a reply demands: 429 and 503 with `Retry-After` (RFC 9110, section 10.2.3), and the refusal of a ban. */
export function demandedWait({ exchange, actor, delivery }: ObservedCall): Wait | undefined {
  const { at, call, reply, trace } = exchange
  const isGenuine = isRefused(exchange)
  if (!isGenuine && reply.status !== 429 && reply.status !== 503) return undefined
  const length = retryAfterMs(reply)
  if (length === undefined) return undefined
  const until = isGenuine ? genuineEnd(exchange, length) : endOnOwnClock(exchange, length)
  const clientUntil = call.receivedAt + Math.min(length, isGenuine ? untilResetMs(exchange) : length)
  return {
    knownAt: Number.isFinite(delivery.at) ? delivery.at : call.receivedAt,
    from: at,
    until,
    clientUntil,
    datedUntil: datedEnd(exchange, isGenuine),
    skewedReset: isGenuine && exchange.skewMs !== undefined ? resetMs(exchange) : undefined,
    bannedFrom: isGenuine && trace.code === 'api_key_banned' ? at : undefined,
    knownBy: new Map([[actor.id, { delivery, until, clientUntil, said: retryAfterText(reply) }]]),
  }
}

/** Merges a second `Retry-After` that arrives during a wait. An actor that knows of the wait already knows it from before. */
export function prolong(wait: Wait, again: Wait): Wait {
  const { knownBy } = wait
  for (const [actor, told] of again.knownBy) {
    const known = knownBy.get(actor)
    if (known === undefined && knownBy.size >= mostActors) continue
    const isFirst = known === undefined || known.delivery.at > told.delivery.at || !mayArrive(known.delivery)
    knownBy.set(actor, isFirst ? told : { ...told, delivery: known.delivery })
  }
  const { knownAt, from, bannedFrom = again.bannedFrom } = wait
  return { ...again, knownAt, from, bannedFrom, knownBy }
}

/** By either clock: a client may wait by its own, and a test may move the emulator's. */
export function isOver(
  { until, clientUntil }: Pick<Wait, 'until' | 'clientUntil'>,
  { at, call }: Pick<Exchange, 'at' | 'call'>,
): boolean {
  return at >= until || call.receivedAt >= clientUntil - toleranceMs
}

/**
 * True if a client that compares `X-RateLimit-Reset` with its own clock cannot wait rightly: the date is over, or too far
 * away for a timer.
 */
export function isMisdated({ datedUntil, knownAt }: Wait, { call }: Pick<Exchange, 'call'>): boolean {
  if (datedUntil === undefined) return false
  return call.receivedAt >= datedUntil - toleranceMs || datedUntil - knownAt > longestTimer
}

/**
 * Whether the sender of a call knew of a wait. `perhaps`: another connection of what looks like one sequence of calls had
 * the refusal, but another process may have opened this one. `queued`: it may have been wanted before the refusal.
 * `new`: it is the first one of a connection that opened after the refusal.
 */
export function knowledgeOf(
  wait: Wait,
  { actor, exchange, burstAt }: ObservedCall,
): 'no' | 'new' | 'queued' | 'perhaps' | 'yes' {
  const { receivedAt, connection } = exchange.call
  const known = wait.knownBy.get(actor.id)
  const { openedAt = Number.NEGATIVE_INFINITY } = connection ?? {}
  if (known === undefined && openedAt >= wait.knownAt && !isOver(wait, exchange)) return 'new'
  if (known === undefined || !hasArrived(known.delivery, receivedAt) || isOver(known, exchange)) return 'no'
  // It was wanted at the same time as the refused call, and waited for a free connection or for its process to start.
  if (burstAt !== undefined && burstAt <= wait.knownAt && receivedAt <= wait.knownAt + longestBurst)
    return 'queued'
  return known.delivery.connection === connection ? 'yes' : 'perhaps'
}

/** A client may also wait until X-RateLimit-Reset, which is on the clock of `Date` (A08). */
function untilResetMs(exchange: Exchange): number {
  const reset = resetMs(exchange)
  if (reset === undefined) return Number.POSITIVE_INFINITY
  const { at, call, skewMs = 0 } = exchange
  return reset - (hasEmulatorDate(exchange) ? at : call.receivedAt + skewMs)
}

function resetMs({ reply }: Exchange): number | undefined {
  const reset = Number(replyHeader(reply, 'x-ratelimit-reset') ?? Number.NaN) * 1_000
  return Number.isNaN(reset) ? undefined : reset
}

/**
 * The first date by which a client may think that the wait is over. A scenario whose clock is off on purpose shows what
 * happens to a client that compares the reset with its own clock.
 */
function datedEnd(exchange: Exchange, isGenuine: boolean): number | undefined {
  const date = readHttpDate(retryAfterText(exchange.reply) ?? '', exchange.call.receivedAt)?.ms
  const ends = [date, isGenuine && exchange.skewMs === undefined ? resetMs(exchange) : undefined].filter(
    end => end !== undefined,
  )
  return ends.length === 0 ? undefined : Math.min(...ends)
}

function genuineEnd(exchange: Exchange, length: number): number {
  return refusedUntil(exchange) ?? endOnOwnClock(exchange, length)
}

/** The end of the ban or of the exhausted windows on the emulator's clock: the later one. Undefined: it is not known. */
export function refusedUntil({ at, trace: { limit, bannedUntil } }: Exchange): number | undefined {
  const ends = [limit?.minute, limit?.day].flatMap(window =>
    window === undefined || window.endsAt === undefined || window.used < window.limit ? [] : [window.endsAt],
  )
  if (bannedUntil !== undefined) ends.push(bannedUntil)
  return ends.length === 0 ? undefined : Math.max(at, ...ends)
}

/** For an injected or proxied response, the end on the emulator's clock is only known if `Date` is on that clock. */
function endOnOwnClock(exchange: Exchange, length: number): number {
  return hasEmulatorDate(exchange) ? exchange.at + length : Number.POSITIVE_INFINITY
}

/** True if `Date` is on the emulator's clock, not on the client's, as with a scaled clock (A08). */
function hasEmulatorDate({ at, scale, reply }: Exchange): boolean {
  if (scale !== 0 && scale !== 1) return false
  return Date.parse(replyHeader(reply, 'date') ?? '') === Math.floor(at / 1_000) * 1_000
}
