import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type LimitSettings,
  newWindow,
  readWindows,
  takeCall,
  type Windows,
} from '../../../src/service/limits/limiter.ts'

const settings: LimitSettings = {
  window: 'first-call',
  headers: 'tightest',
  countRefused: false,
  retryAfter: 'seconds',
  anonymous: 'report',
}
const quota = { minute: 60, day: 1000 }
const start = Date.UTC(2026, 2, 2)

const sharedWindows = (othersPerMinute: number): Windows => ({
  minute: newWindow(0),
  day: newWindow(0),
  othersPerMinute,
})

test.each<[string, number, readonly number[], readonly number[]]>([
  ['12 calls a minute', 12, [0, 5_000, 10_000, 59_999], [59, 57, 55, 45]],
  ['none before the first call opens a window', 60, [30_000], [59]],
  ['a new window starts anew', 30, [0, 59_000, 60_000], [59, 29, 59]],
  ['they never leave less than nothing', 600, [0, 59_000], [59, 0]],
])('remaining calls beside another client: %s', (_, perMinute, times, remaining) => {
  const windows = sharedWindows(perMinute)
  const found = times.map((time, index) => {
    const { minute } = takeCall(windows, quota, start + time, settings, index + 1)
    return minute.limit - minute.used
  })
  expect(found).toEqual(remaining)
})

test.each<[string, number, readonly number[], readonly number[]]>([
  ['a rate below the quota', 12, [0, 60_000, 600_000], [0, 12, 120]],
  [
    'at most the quota of the minute each minute',
    600,
    [0, 3_000, 59_000, 60_000, 63_000, 600_000],
    [0, 30, 60, 60, 90, 600],
  ],
  ['at most the quota of the day', 600, [0, 3_600_000], [0, 1_000]],
])('the day of another client grows by %s (A07)', (_, perMinute, times, expected) => {
  const windows = sharedWindows(perMinute)
  takeCall(windows, quota, start, settings, 1)
  const found = times.map(time => readWindows(windows, quota, start + time).day)
  expect(found.map(({ used }) => used)).toEqual(expected.map(others => Math.min(1 + others, quota.day)))
  expect(found.map(({ others }) => others)).toEqual(expected.map(others => Math.min(others, quota.day - 1)))
})

test('what is counted depends on the time alone, not on who looks and how often', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(200_000), { maxLength: 20 }),
      fc.array(fc.nat(200_000), { maxLength: 50 }),
      fc.double({ min: 0.01, max: 300, noNaN: true }),
      (calls, looks, perMinute) => {
        const [seldom, often] = [sharedWindows(perMinute), sharedWindows(perMinute)]
        const moments = [
          ...calls.map(at => ({ at, calls: true })),
          ...looks.map(at => ({ at, calls: false })),
        ]
        for (const { at, calls: isCall } of moments.sort((a, b) => a.at - b.at)) {
          readWindows(often, quota, start + at)
          if (!isCall) continue
          const expected = takeCall(seldom, quota, start + at, settings, 1)
          expect(takeCall(often, quota, start + at, settings, 1)).toEqual(expected)
        }
      },
    ),
  )
})
