import { asctimeDate, rfc850Date } from '../../base/time/http-date.ts'
import { formatInstant, httpDate } from '../../base/time/instant.ts'
import { resetSeconds, waitSeconds } from './limit-headers.ts'
import type { HostileForm, RetryAfterForm } from './retry-after-forms.ts'

type Headers = Readonly<Record<string, string>>

/** `Retry-After` of a refusal: it and `X-RateLimit-Reset` name the same instant (A08; RFC 9110, section 10.2.3). */
export function retryAfter(resetsAt: number, date: number, form: RetryAfterForm): Headers {
  return writers[form](waitSeconds(resetsAt, date), resetSeconds(resetsAt) * 1_000)
}

/** Takes the seconds to wait, and the instant in milliseconds. */
type Write = (wait: number, until: number) => Headers

const writers: Readonly<Record<RetryAfterForm, Write>> = {
  seconds: wait => one(`${wait}`),
  'http-date': (_wait, until) => one(httpDate(until)),
  'rfc850-date': (_wait, until) => one(rfc850Date(until)),
  'asctime-date': (_wait, until) => one(asctimeDate(until)),
  absent: () => ({}),
  zero: () => one('0'),
  negative: wait => one(`-${wait}`),
  decimal: wait => one(`${wait}.5`),
  huge: () => one('99999999999'),
  'iso-date': (_wait, until) => one(formatInstant(until)),
  garbage: () => one('soon'),
  // Names that differ in case are two lines.
  twice: wait => ({ ...one(`${wait}`), 'retry-after': `${wait}` }),
}

function one(value: string): Headers {
  return { 'Retry-After': value }
}

/** The hostile form that `retryAfter` wrote into the headers of a refusal, if it did. */
export function hostileFormOf(headers: Headers): HostileForm | undefined {
  const value = headers['Retry-After']
  if (value === undefined) return 'absent'
  if (headers['retry-after'] !== undefined) return 'twice'
  return hostileValues.find(([, pattern]) => pattern.test(value))?.[0]
}

const hostileValues: readonly (readonly [HostileForm, RegExp])[] = [
  ['zero', /^0$/],
  ['negative', /^-/],
  ['decimal', /^\d+\.5$/],
  ['huge', /^99999999999$/],
  ['iso-date', /^\d{4}-/],
  ['garbage', /^soon$/],
]
