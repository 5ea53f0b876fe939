import type { Seen } from './request.ts'

/** Where the caller stands, as the headers of an answer tell it. */
export interface Standing {
  readonly limit: number
  readonly remaining: number
  /** Epoch seconds. */
  readonly reset: number
  /** When a call is accepted again, in this machine's time; undefined while calls are left. */
  readonly blockedUntil: number | undefined
}

const header = /^\d{1,15}$/

/** Undefined when an answer does not tell. `now`: this machine's time, in milliseconds since the epoch. */
export function readStanding({ status, headers }: Seen, now: number): Standing | undefined {
  const texts = ['limit', 'remaining', 'reset'].map(name => headers[`x-ratelimit-${name}`] ?? '')
  if (!texts.every(text => header.test(text))) return undefined
  const [limit = 0, remaining = 0, reset = 0] = texts.map(Number)
  const waitMs =
    remaining > 0 && status !== 429 ? undefined : (waitOf(headers) ?? secondsAhead(reset, headers, now))
  return { limit, remaining, reset, blockedUntil: waitMs === undefined ? undefined : now + waitMs }
}

/** How long to wait before the next call, in milliseconds. */
export function pause(standing: Standing | undefined, now: number): number {
  return standing?.blockedUntil === undefined ? 0 : Math.max(0, standing.blockedUntil - now)
}

/** What Retry-After says, in milliseconds from now: a number of seconds, or a date (RFC 9110, section 10.2.3). */
export function waitOf(headers: Seen['headers']): number | undefined {
  const text = headers['retry-after'] ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  const [until, sent] = [Date.parse(text), Date.parse(headers.date ?? '')]
  return Number.isNaN(until) || Number.isNaN(sent) ? undefined : Math.max(0, until - sent)
}

/** The service's time: what its Date says, else this machine's. Epoch milliseconds. */
export function timeOf(headers: Seen['headers'], now: number): number {
  const date = Date.parse(headers.date ?? '')
  return Number.isNaN(date) ? now : date
}

function secondsAhead(reset: number, headers: Seen['headers'], now: number): number {
  return Math.max(1_000, reset * 1_000 - timeOf(headers, now))
}
