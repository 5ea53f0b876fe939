import { expect, it } from 'vitest'
import {
  hostileFormOf,
  hostileForms,
  legalForms,
  type RetryAfterForm,
  retryAfter,
} from '../../../src/service/limits/retry-after.ts'

const date = Date.UTC(2026, 2, 2, 12)

const written: Readonly<Record<RetryAfterForm, object>> = {
  seconds: { 'Retry-After': '42' },
  'http-date': { 'Retry-After': 'Mon, 02 Mar 2026 12:00:42 GMT' },
  'rfc850-date': { 'Retry-After': 'Monday, 02-Mar-26 12:00:42 GMT' },
  'asctime-date': { 'Retry-After': 'Mon Mar  2 12:00:42 2026' },
  absent: {},
  zero: { 'Retry-After': '0' },
  negative: { 'Retry-After': '-42' },
  decimal: { 'Retry-After': '42.5' },
  huge: { 'Retry-After': '99999999999' },
  'iso-date': { 'Retry-After': '2026-03-02T12:00:42Z' },
  garbage: { 'Retry-After': 'soon' },
  twice: { 'Retry-After': '42', 'retry-after': '42' },
}

it.each([...legalForms, ...hostileForms])('42 seconds as %s', form => {
  expect(retryAfter(date + 42_000, date, form)).toEqual(written[form])
})

it.each(hostileForms)('the hostile form %s is known by the headers that it wrote', form => {
  expect(hostileFormOf(retryAfter(date + 42_000, date, form))).toBe(form)
})

it.each([
  ...legalForms.map(form => retryAfter(date + 42_000, date, form)['Retry-After'] ?? expect.fail()),
  '10',
  '01',
  'x1.5',
  '1.55',
  '199999999999',
  '999999999990',
  'on 2026-03-02',
  'very soon',
  'sooner',
])('no hostile form wrote %s', value => {
  expect(hostileFormOf({ 'Retry-After': value })).toBeUndefined()
})
