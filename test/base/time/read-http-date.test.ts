import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readHttpDate } from '../../../src/base/time/http-date.ts'
import { asctimeDate, httpDate, rfc850Date } from '../../../src/base/time/instant.ts'
import { parseRetryAfter } from '../../../src/base/time/retry-after.ts'

const now = Date.UTC(2026, 2, 7, 9)
/** The example of RFC 9110, section 5.6.7. */
const example = Date.UTC(1994, 10, 6, 8, 49, 37)

test.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT', 'imf-fixdate'],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 'rfc850-date'],
  ['Sun Nov  6 08:49:37 1994', 'asctime-date'],
])('%s is a date of HTTP', (text, form) => {
  expect(readHttpDate(text, now)).toEqual({ ms: example, form })
})

test.each([
  '',
  '60',
  'soon',
  '2026-03-07T09:00:00Z',
  'Sun, 6 Nov 1994 08:49:37 GMT',
  'Sun, 06 Nov 1994 08:49:37 UTC',
  'Sun, 06 Nov 1994 08:49:37 +0000',
  'Sun, 06 Nov 1994 24:00:00 GMT',
  'Sun, 31 Feb 1994 08:49:37 GMT',
  'Sun, 00 Feb 1994 08:49:37 GMT',
  'Sun, 06 Nov 94 08:49:37 GMT',
  'sun, 06 nov 1994 08:49:37 gmt',
  'Sun, 06-Nov-94 08:49:37 GMT',
  'Sun Nov 6 08:49:37 1994',
  'Sun Nov  6 08:49:37 1994 GMT',
  'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT',
])('%j is none', text => {
  expect(readHttpDate(text, now)).toBeUndefined()
})

test.each([
  ['26', 2026],
  ['27', 2027],
  ['76', 2076],
  ['77', 1977],
  ['99', 1999],
  ['00', 2000],
  ['25', 2025],
])('a year of two digits is at most 50 years ahead: %s is %i', (digits, year) => {
  const read = readHttpDate(`Sunday, 06-Nov-${digits} 08:49:37 GMT`, now)
  expect(new Date(read?.ms ?? 0).getUTCFullYear()).toBe(year)
})

test('each form is read as it was written, in any time zone', () => {
  const seconds = fc.integer({ min: 0, max: Date.UTC(2070, 0, 1) / 1_000 })
  fc.assert(
    fc.property(seconds, second => {
      const ms = second * 1_000
      expect(readHttpDate(httpDate(ms), 0)).toEqual({ ms, form: 'imf-fixdate' })
      expect(readHttpDate(asctimeDate(ms), 0)).toEqual({ ms, form: 'asctime-date' })
      expect(readHttpDate(rfc850Date(ms), ms)).toEqual({ ms, form: 'rfc850-date' })
    }),
  )
})

const date = httpDate(now)

test.each([
  ['60', { form: 'seconds', ms: 60_000 }],
  ['0', { form: 'seconds', ms: 0 }],
  ['007', { form: 'seconds', ms: 7_000 }],
  ['99999999999', { form: 'seconds', ms: undefined }],
  [httpDate(now + 60_000), { form: 'imf-fixdate', ms: 60_000 }],
  [httpDate(now - 60_000), { form: 'imf-fixdate', ms: 0 }],
  [rfc850Date(now + 60_000), { form: 'rfc850-date', ms: 60_000 }],
  [asctimeDate(now + 60_000), { form: 'asctime-date', ms: 60_000 }],
  ['2026-03-07T09:01:00Z', { form: 'other', ms: undefined }],
  ['-60', { form: 'other', ms: undefined }],
  ['60.5', { form: 'other', ms: undefined }],
  ['+60', { form: 'other', ms: undefined }],
  ['60, 60', { form: 'other', ms: undefined }],
  ['60 s', { form: 'other', ms: undefined }],
  ['soon', { form: 'other', ms: undefined }],
  ['2030', { form: 'seconds', ms: 2_030_000 }],
])('Retry-After: %s', (text, expected) => {
  expect(parseRetryAfter(text, date)).toEqual(expected)
})

test('without a Date, nobody knows how far a date is away', () => {
  expect(parseRetryAfter(date)).toEqual({ form: 'imf-fixdate', ms: undefined })
})
