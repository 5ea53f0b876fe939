import { asctimeDate, formatInstant, httpDate, rfc850Date } from '../../base/time/instant.ts'

type Headers = Readonly<Record<string, string>>

/** Takes the seconds to wait, and the instant in milliseconds. */
type Write = (wait: number, until: number) => Headers

/** Forms that every recipient must understand (RFC 9110, sections 10.2.3 and 5.6.7). */
const legal = {
  seconds: wait => one(`${wait}`),
  'http-date': (_wait, until) => one(httpDate(until)),
  'rfc850-date': (_wait, until) => one(rfc850Date(until)),
  'asctime-date': (_wait, until) => one(asctimeDate(until)),
} as const satisfies Record<string, Write>

/** Forms that break HTTP, or that a client had better not obey. */
const hostile = {
  absent: () => ({}),
  zero: () => one('0'),
  negative: wait => one(`-${wait}`),
  decimal: wait => one(`${wait}.5`),
  huge: () => one('99999999999'),
  'iso-date': (_wait, until) => one(formatInstant(until)),
  garbage: () => one('soon'),
  // Names that differ in case are two lines.
  twice: wait => ({ ...one(`${wait}`), 'retry-after': `${wait}` }),
} as const satisfies Record<string, Write>

function one(value: string): Headers {
  return { 'Retry-After': value }
}

type HostileForm = keyof typeof hostile
export type RetryAfterForm = keyof typeof legal | HostileForm
export const legalForms = Object.keys(legal) as readonly (keyof typeof legal)[]
export const hostileForms = Object.keys(hostile) as readonly HostileForm[]
const writers: Readonly<Record<RetryAfterForm, Write>> = { ...legal, ...hostile }

/** A form for every refusal, or one after the other. */
export type RetryAfterForms = RetryAfterForm | readonly RetryAfterForm[]

/** Whole seconds since the epoch, never before the window is over (A08). */
export function resetSeconds(resetsAt: number): number {
  return Math.ceil(resetsAt / 1_000)
}

/** Whole seconds from the client's `Date` to the reset. */
export function waitSeconds(resetsAt: number, date: number): number {
  return Math.max(1, resetSeconds(resetsAt) - Math.floor(date / 1_000))
}

/** `X-RateLimit-Reset` (A08). */
export const resetWriters = {
  epoch: resetsAt => `${resetSeconds(resetsAt)}`,
  'epoch-ms': resetsAt => `${resetSeconds(resetsAt) * 1_000}`,
  seconds: (resetsAt, date) => `${Math.max(0, resetSeconds(resetsAt) - Math.floor(date / 1_000))}`,
  'http-date': resetsAt => httpDate(resetSeconds(resetsAt) * 1_000),
  'iso-date': resetsAt => formatInstant(resetSeconds(resetsAt) * 1_000),
} as const satisfies Record<string, (resetsAt: number, date: number) => string>

export type ResetForm = keyof typeof resetWriters
export const resetForms = Object.keys(resetWriters) as readonly ResetForm[]

/** `Retry-After` of a refusal: it and `X-RateLimit-Reset` name the same instant (A08; RFC 9110, section 10.2.3). */
export function retryAfter(resetsAt: number, date: number, form: RetryAfterForm): Headers {
  return writers[form](waitSeconds(resetsAt, date), resetSeconds(resetsAt) * 1_000)
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
