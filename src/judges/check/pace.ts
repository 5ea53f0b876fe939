import { readRetryAfter } from '../../base/time/retry-after.ts'
import type { WholeAnswer } from '../walkthrough/target.ts'

/** The rate limit of the caller, from the headers of a response. */
export interface Standing {
  readonly limit: number
  readonly remaining: number
  /** Epoch seconds. */
  readonly reset: number
  /** When requests are accepted again, in this machine's time; undefined while requests are left. */
  readonly blockedUntil: number | undefined
}

type Headers = WholeAnswer['headers']

export const limitHeaders = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const

/** Undefined without readable headers. `now` is this machine's time, in epoch milliseconds. */
export function readStanding({ status, headers }: WholeAnswer, now: number): Standing | undefined {
  const texts = limitHeaders.map(name => headers[name] ?? '')
  if (!texts.every(text => /^\d{1,15}$/.test(text))) return undefined
  const [limit = 0, remaining = 0, reset = 0] = texts.map(Number)
  const untilReset = Math.max(1_000, reset * 1_000 - serviceTime(headers, now))
  const waitMs =
    remaining > 0 && status !== 429
      ? undefined
      : (readRetryAfter(headers['retry-after'], headers.date) ?? untilReset)
  return { limit, remaining, reset, blockedUntil: waitMs === undefined ? undefined : now + waitMs }
}

/** How long to wait before the next request, in milliseconds. */
export function pauseMs(standing: Standing | undefined, now: number): number {
  return Math.max(0, (standing?.blockedUntil ?? now) - now)
}

/** The service's time from Date, or else this machine's, in epoch milliseconds. */
export function serviceTime(headers: Headers, now: number): number {
  const date = Date.parse(headers.date ?? '')
  return Number.isNaN(date) ? now : date
}
