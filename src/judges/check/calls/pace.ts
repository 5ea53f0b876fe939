import type { WholeAnswer } from '../../walkthrough/target.ts'
import { retryMs } from './retry-after.ts'

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
  const [limitText = '', remainingText = '', resetText = ''] = limitHeaders.map(name => headers[name] ?? '')
  if (![limitText, remainingText].every(text => /^\d{1,15}$/.test(text))) return undefined
  // Only an assumption says that Reset is a whole number.
  if (!/^\d{1,15}(?:\.\d+)?$/.test(resetText)) return undefined
  const [limit, remaining, reset] = [Number(limitText), Number(remainingText), Number(resetText)]
  const time = serviceTime(headers, now)
  const untilReset = Math.max(1_000, Math.ceil(reset * 1_000 - time))
  const waitMs = remaining > 0 && status !== 429 ? undefined : (retryMs(headers, time) ?? untilReset)
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
