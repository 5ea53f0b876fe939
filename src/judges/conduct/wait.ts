import { type Exchange, isRefused } from '../../emulator/journal/exchange.ts'
import type { Call, Reply } from '../../service/call/call.ts'
import { replyHeader } from './observed-call.ts'

/** A time for which a caller was told to wait. */
export interface Wait {
  /** When it was told first: milliseconds of the client's time. */
  readonly toldAt: number
  /** When it was told first, and when it is over, on the emulator's clock. */
  readonly from: number
  readonly until: number
  /** When it is over for a client that waits by its own time. */
  readonly clientUntil: number
  readonly isBan: boolean
  /** The connections of the client that have brought word of it. */
  readonly knownBy: Set<number>
}

/** Timers fire early, and a client's clock is not the server's: so many milliseconds of its time are nobody's fault. */
export const toleranceMs = 100

/**
 * How long after the first refusal a call may come on a connection that has brought none and still count as sent before
 * it: milliseconds of the client's time. Of a burst of 500 the last call came after 250, on a machine with much else to
 * do; and a second is what retries wait that wait too little.
 */
export const inFlightMs = 500

const mostConnections = 2_000

/** The wait that a reply tells of: 429 and 503 with `Retry-After` (RFC 9110, section 10.2.3), and the refusal of a ban. */
export function toldWait(exchange: Exchange): Wait | undefined {
  const { at, call, reply, trace } = exchange
  const isGenuine = isRefused(exchange)
  if (!isGenuine && reply.status !== 429 && reply.status !== 503) return undefined
  const length = retryAfterMs(reply)
  if (length === undefined) return undefined
  return {
    toldAt: exchange.answeredAt ?? call.receivedAt,
    from: at,
    until: isGenuine ? genuineEnd(exchange, length) : ownEnd(exchange, length),
    clientUntil: call.receivedAt + Math.min(length, isGenuine ? untilResetMs(exchange) : length),
    isBan: isGenuine && trace.code === 'api_key_banned',
    knownBy: new Set(call.connection === undefined ? [] : [call.connection]),
  }
}

/** The wait of a caller that was told again while it was to wait: it knows of both. */
export function prolong(wait: Wait, again: Wait): Wait {
  if (wait.knownBy.size < mostConnections)
    for (const connection of again.knownBy) wait.knownBy.add(connection)
  return {
    ...again,
    toldAt: wait.toldAt,
    from: wait.from,
    isBan: wait.isBan || again.isBan,
    knownBy: wait.knownBy,
  }
}

/** By either clock: a client may wait by its own, and whoever tests it may move the emulator's. */
export function isOver({ until, clientUntil }: Wait, { at, call }: Pick<Exchange, 'at' | 'call'>): boolean {
  return at >= until || call.receivedAt >= clientUntil - toleranceMs
}

/**
 * Whether a call may have been sent before its client knew of the wait: what cannot be told apart counts as in flight. A
 * call that names no connection was made after its caller had every earlier reply.
 */
export function isInFlight({ toldAt, knownBy }: Wait, { connection, receivedAt }: Call): boolean {
  return connection !== undefined && !knownBy.has(connection) && receivedAt <= toldAt + inFlightMs
}

export function retryAfterMs(reply: Reply): number | undefined {
  const text = replyHeader(reply, 'retry-after')
  if (text === undefined) return undefined
  if (/^[0-9]{1,9}$/.test(text)) return Number(text) * 1_000
  const date = Date.parse(replyHeader(reply, 'date') ?? '')
  const length = Date.parse(text) - date
  return Number.isNaN(length) ? undefined : Math.max(0, length)
}

/** A client may also wait until X-RateLimit-Reset, which is in the frame of `Date` (A08). */
function untilResetMs(exchange: Exchange): number {
  const reset = Number(replyHeader(exchange.reply, 'x-ratelimit-reset') ?? Number.NaN) * 1_000
  if (Number.isNaN(reset)) return Number.POSITIVE_INFINITY
  return reset - (tellsOwnTime(exchange) ? exchange.at : exchange.call.receivedAt)
}

/** The end of the ban or of the exhausted windows, whichever is later, where it is known. */
function genuineEnd(exchange: Exchange, length: number): number {
  const { limit, bannedUntil } = exchange.trace
  const ends = [limit?.minute, limit?.day].flatMap(window =>
    window === undefined || window.endsAt === undefined || window.used < window.limit ? [] : [window.endsAt],
  )
  if (bannedUntil !== undefined) ends.push(bannedUntil)
  return ends.length === 0 ? ownEnd(exchange, length) : Math.max(exchange.at, ...ends)
}

/** Of an answer that somebody else made, the end on the emulator's clock is known only where it runs as the client's does. */
function ownEnd(exchange: Exchange, length: number): number {
  return tellsOwnTime(exchange) ? exchange.at + length : Number.POSITIVE_INFINITY
}

/** Whether `Date` is the emulator's time, and not that of a client of a scaled clock (A08). */
function tellsOwnTime({ at, reply }: Exchange): boolean {
  return Date.parse(replyHeader(reply, 'date') ?? '') === Math.floor(at / 1_000) * 1_000
}
