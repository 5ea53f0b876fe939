import { expect, test } from 'vitest'
import { resetSeconds, retryAfter, waitSeconds } from '../../../src/service/limits/retry-after.ts'

test.each([
  [60_000, 60],
  [60_001, 61],
  [60_400, 61],
  [60_999, 61],
])('a window that ends at %d ms: X-RateLimit-Reset is %i, never before its end', (resetsAt, reset) => {
  expect(resetSeconds(resetsAt)).toBe(reset)
})

test.each([
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
