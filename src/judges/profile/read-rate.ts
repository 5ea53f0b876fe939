import { readHttpDate } from '../../base/time/http-date.ts'
import { parseInstant } from '../../base/time/instant.ts'
import { byName } from '../exchanges/texts.ts'

/** What the limit headers of a response say, under whatever names. Instants are milliseconds of the service's clock. */
export interface Rate {
  readonly limit: number
  readonly remaining: number
  readonly resetsAt: number | undefined
  readonly clock: number
}

/** Undefined if no header says how many calls are left. `now`: this machine's time, without `Date` the service's. */
export function readRate(headers: Readonly<Record<string, string>>, now: number): Rate | undefined {
  const named = byName(Object.entries(headers).flat())
  const [, draftLeft, draftWait] = /;r=(\d+);t=(\d+)/.exec(named.ratelimit ?? '') ?? []
  const find = (pattern: RegExp) => Object.entries(named).find(([name]) => pattern.test(name))?.[1]
  const remaining = wholeNumber(find(/remaining$|-left$/) ?? draftLeft)
  if (remaining === undefined) return undefined
  const clock = readHttpDate(named.date ?? '', now)?.ms ?? now
  const limit = wholeNumber(find(/(?:^|-)limit$|quota$/)) ?? remaining
  return { limit, remaining, resetsAt: instantOf(find(/reset$/) ?? draftWait, clock), clock }
}

/** A reset may be seconds or milliseconds since 1970, the seconds left, or a date. */
function instantOf(text: string | undefined, clock: number): number | undefined {
  const value = wholeNumber(text)
  if (value === undefined) return parseInstant(text ?? '') ?? readHttpDate(text ?? '', clock)?.ms
  if (value < 1e9) return clock + value * 1_000
  return value < 1e11 ? value * 1_000 : value
}

export function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
