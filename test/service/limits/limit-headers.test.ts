import { expect, it } from 'vitest'
import { rateOf } from '../../../src/service/limits/limit-headers.ts'
import type { LimitSettings } from '../../../src/service/limits/limiter.ts'
import { resetSeconds, retryAfter, waitSeconds } from '../../../src/service/limits/retry-after.ts'

it.each([
  [60_000, 60],
  [60_001, 61],
  [60_400, 61],
  [60_999, 61],
])('a window that ends at %d ms: X-RateLimit-Reset is %i, never before its end', (resetsAt, reset) => {
  expect(resetSeconds(resetsAt)).toBe(reset)
})

it.each([
  [60_000, 0, 60],
  [60_000, 999, 60],
  [60_000, 1_000, 59],
  [60_400, 59_900, 2],
  [60_000, 59_999, 1],
  [60_000, 60_000, 1],
  [60_000, 61_000, 1],
])('a window that ends at %d ms, at %d ms: wait %i s', (resetsAt, date, wait) => {
  expect(waitSeconds(resetsAt, date)).toBe(wait)
  expect(retryAfter(resetsAt, date, 'seconds')).toEqual({ 'Retry-After': `${wait}` })
})

const usual: LimitSettings = {
  window: 'first-call',
  headers: 'tightest',
  countRefused: false,
  retryAfter: 'seconds',
  anonymous: 'report',
}
const plain = { 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '59', 'X-RateLimit-Reset': '1767225660' }
const draft = {
  'RateLimit-Policy': '"minute";q=60;w=60;pet-mock-only, "day";q=1000;w=86400;pet-mock-only',
  RateLimit: '"minute";r=59;t=42',
}

it.each<
  [what: string, settings: Partial<LimitSettings>, fields: Readonly<Record<string, string>> | undefined]
>([
  ['the usual headers', {}, undefined],
  ['the usual headers, by their name', { dialect: 'x-ratelimit', reset: 'epoch' }, undefined],
  ['the draft of the IETF', { dialect: 'ietf' }, draft],
  ['both', { dialect: 'both' }, { ...plain, ...draft }],
  ['the seconds to the reset', { reset: 'seconds' }, { ...plain, 'X-RateLimit-Reset': '42' }],
  [
    'other names',
    { names: { limit: 'X-Limit', remaining: 'X-Left', reset: 'X-Reset' } },
    { 'X-Limit': '60', 'X-Left': '59', 'X-Reset': '1767225660' },
  ],
  [
    'no reset',
    { names: { limit: 'X-Limit', remaining: 'X-Left', reset: 'off' } },
    { 'X-Limit': '60', 'X-Left': '59' },
  ],
])('headers of the limit: %s', (_, settings, fields) => {
  const resetsAt = Date.UTC(2026, 0, 1, 0, 1)
  const quota = { minute: { limit: 60 }, day: { limit: 1_000 } }
  const rate = rateOf(quota, 'minute', 59, resetsAt, resetsAt - 42_000, { ...usual, ...settings })
  expect(rate).toEqual({ limit: 60, remaining: 59, resetsAt, fields })
})
