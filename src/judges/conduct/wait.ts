import { readRetryAfter } from '../../base/time/retry-after.ts'
import { type Exchange, isRefused } from '../../emulator/journal/exchange.ts'
import type { Call, Reply } from '../../service/call/call.ts'
import { replyHeader } from './observed-call.ts'

/** A time in which a caller must wait. */
export interface Wait {
  /** When the client first learned of it: milliseconds of the client's time. */
  readonly knownAt: number
  /** Its start and end on the emulator's clock. */
  readonly from: number
  readonly until: number
  /** Its end on the client's clock. */
  readonly clientUntil: number
  readonly isBan: boolean
  /** The connections that received it. */
  readonly knownBy: Set<number>
}

/** Allowed milliseconds of the client's time, because timers fire early and clocks differ. */
const toleranceMs = 100

/**
 * A call that comes this soon after a refusal, on a connection without one, counts as sent before it: milliseconds of the
 * client's time. On a busy machine the last of a burst of 500 calls came after 250; hasty retries often wait a second.
 */
const inFlightMs = 500

const mostConnections = 2_000

/** The wait that a reply demands: 429 and 503 with `Retry-After` (RFC 9110, section 10.2.3), and the refusal of a ban. */
export function demandedWait(exchange: Exchange): Wait | undefined {
  const { at, call, reply, trace } = exchange
  const isGenuine = isRefused(exchange)
  if (!isGenuine && reply.status !== 429 && reply.status !== 503) return undefined
  const length = retryAfterMs(reply)
  if (length === undefined) return undefined
  return {
    knownAt: exchange.answeredAt ?? call.receivedAt,
    from: at,
    until: isGenuine ? genuineEnd(exchange, length) : endOnOwnClock(exchange, length),
    clientUntil: call.receivedAt + Math.min(length, isGenuine ? untilResetMs(exchange) : length),
    isBan: isGenuine && trace.code === 'api_key_banned',
    knownBy: new Set(call.connection === undefined ? [] : [call.connection]),
  }
}

/** Merges a second `Retry-After` that arrives during a wait. */
export function prolong(wait: Wait, again: Wait): Wait {
  if (wait.knownBy.size < mostConnections)
    for (const connection of again.knownBy) wait.knownBy.add(connection)
  return {
    ...again,
    knownAt: wait.knownAt,
    from: wait.from,
    isBan: wait.isBan || again.isBan,
    knownBy: wait.knownBy,
  }
}

/** By either clock: a client may wait by its own, and a test may move the emulator's. */
export function isOver({ until, clientUntil }: Wait, { at, call }: Pick<Exchange, 'at' | 'call'>): boolean {
  return at >= until || call.receivedAt >= clientUntil - toleranceMs
}

/**
 * True if a call may have been sent before its client knew of the wait. A call without a connection was made after its client
 * had every earlier reply.
 */
export function isInFlight({ knownAt, knownBy }: Wait, { connection, receivedAt }: Call): boolean {
  return connection !== undefined && !knownBy.has(connection) && receivedAt <= knownAt + inFlightMs
}

export function retryAfterMs(reply: Reply): number | undefined {
  return readRetryAfter(replyHeader(reply, 'retry-after'), replyHeader(reply, 'date'))
}

/** A client may also wait until X-RateLimit-Reset, which is on the clock of `Date` (A08). */
function untilResetMs(exchange: Exchange): number {
  const reset = Number(replyHeader(exchange.reply, 'x-ratelimit-reset') ?? Number.NaN) * 1_000
  if (Number.isNaN(reset)) return Number.POSITIVE_INFINITY
  return reset - (hasEmulatorDate(exchange) ? exchange.at : exchange.call.receivedAt)
}

/** The end of the ban or of the exhausted windows: the later one. */
function genuineEnd(exchange: Exchange, length: number): number {
  const { limit, bannedUntil } = exchange.trace
  const ends = [limit?.minute, limit?.day].flatMap(window =>
    window === undefined || window.endsAt === undefined || window.used < window.limit ? [] : [window.endsAt],
  )
  if (bannedUntil !== undefined) ends.push(bannedUntil)
  return ends.length === 0 ? endOnOwnClock(exchange, length) : Math.max(exchange.at, ...ends)
}

/** For an injected or proxied response, the end on the emulator's clock is only known if `Date` is on that clock. */
function endOnOwnClock(exchange: Exchange, length: number): number {
  return hasEmulatorDate(exchange) ? exchange.at + length : Number.POSITIVE_INFINITY
}

/** True if `Date` is on the emulator's clock, not on the client's, as with a scaled clock (A08). */
function hasEmulatorDate({ at, reply }: Exchange): boolean {
  return Date.parse(replyHeader(reply, 'date') ?? '') === Math.floor(at / 1_000) * 1_000
}
