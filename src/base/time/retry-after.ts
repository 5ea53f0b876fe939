import { type HttpDateForm, readHttpDate } from './http-date.ts'

/** How a Retry-After is written. `other`: as no recipient needs to understand it. */
export type RetryAfterForm = 'seconds' | HttpDateForm | 'other'

export interface RetryAfter {
  readonly form: RetryAfterForm
  /** Milliseconds to wait. Undefined: the text says nothing that a recipient needs to understand. */
  readonly ms: number | undefined
}

/** More seconds than this are no wait: 31 years. */
const mostDigits = 9

/**
 * Reads a Retry-After: whole seconds, or a date in one of the three forms of HTTP, which counts from `Date` (RFC 9110, sections
 * 10.2.3 and 5.6.7). Of several lines, `text` has all, with commas: that is neither.
 */
export function parseRetryAfter(text: string, date = ''): RetryAfter {
  if (/^[0-9]+$/.test(text))
    return { form: 'seconds', ms: text.length > mostDigits ? undefined : Number(text) * 1_000 }
  // The date of the reply decides the century of a year with two digits.
  const now = readHttpDate(date, 0)?.ms
  const until = readHttpDate(text, now ?? 0)
  if (until === undefined) return { form: 'other', ms: undefined }
  return { form: until.form, ms: now === undefined ? undefined : Math.max(0, until.ms - now) }
}
