import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  copyWindows,
  type LimitSettings,
  newWindow,
  readLimit,
  readWindows,
  remaining,
  takeBack,
  takeCall,
} from '../../../src/service/limits/limiter.ts'

const usual: LimitSettings = {
  window: 'first-call',
  headers: 'tightest',
  countRefused: false,
  retryAfter: 'seconds',
  anonymous: 'report',
}

const newWindows = (used = { minute: 0, day: 0 }) => ({
  minute: newWindow(used.minute),
  day: newWindow(used.day),
})

test.each([
  ['opens at the second of its first call', 12_345, 12_000 + 60_000],
  ['a whole second', 12_000, 12_000 + 60_000],
  ['the epoch', 0, 60_000],
])('a first-call window: %s', (_, at, end) => {
  expect(takeCall(newWindows(), { minute: 2, day: 9 }, at, usual, 1).minute.endsAt).toBe(end)
})

test.each([
  [59_999, 60_000],
  [60_000, 120_000],
  [86_399_999, 86_400_000],
])('a calendar window at %i ends at %i', (at, end) => {
  const settings = { ...usual, window: 'calendar' as const }
  expect(takeCall(newWindows(), { minute: 2, day: 9 }, at, settings, 1).minute.endsAt).toBe(end)
})

test('the exchange that opened a window is remembered until the window is over', () => {
  const windows = newWindows()
  const take = (at: number, call: number) => takeCall(windows, { minute: 1, day: 9 }, at, usual, call)
  expect(
    [take(0, 1), take(59_999, 2), take(60_000, 3)].map(({ accepted, minute }) => [accepted, minute.openedBy]),
  ).toEqual([
    [true, 1],
    [false, 1],
    [true, 3],
  ])
})

test.each([
  [59_999, 60_000, 1],
  [60_000, 120_000, 0],
])('a window is over at its end: a call at %i is in the window until %i', (at, end, used) => {
  const windows = newWindows()
  takeCall(windows, { minute: 9, day: 9 }, 0, usual, 1)
  const { minute } = readWindows(windows, { minute: 9, day: 9 }, at)
  expect([minute.used, minute.endsAt ?? end]).toEqual([used, end])
})

test('looking at windows changes nothing', () => {
  const windows = newWindows({ minute: 60, day: 60 })
  const before = structuredClone(windows)
  readWindows(windows, { minute: 60, day: 1_000 }, 99_000)
  expect(windows).toEqual(before)
})

/** The rule in other words: what was accepted since each window opened, kept as plain lists. */
function modelOf(quota: { minute: number; day: number }) {
  const lengths = { minute: 60_000, day: 86_400_000 }
  const windows = { minute: { end: 0, calls: 0 }, day: { end: 0, calls: 0 } }
  return (at: number): boolean => {
    for (const name of ['minute', 'day'] as const)
      if (at >= windows[name].end) windows[name] = { end: 0, calls: 0 }
    if (windows.minute.calls >= quota.minute || windows.day.calls >= quota.day) return false
    for (const name of ['minute', 'day'] as const) {
      if (windows[name].end === 0) windows[name].end = Math.floor(at / 1_000) * 1_000 + lengths[name]
      windows[name].calls += 1
    }
    return true
  }
}

const quotas = fc.record({ minute: fc.integer({ min: 1, max: 5 }), day: fc.integer({ min: 1, max: 20 }) })
const gaps = fc.array(fc.oneof(fc.constant(0), fc.nat(900), fc.nat(70_000), fc.nat(90_000_000)), {
  maxLength: 60,
})

test('whatever the calls, exactly those are accepted that fit into both windows', () => {
  fc.assert(
    fc.property(quotas, gaps, fc.nat(2_000_000_000_000), (quota, waits, start) => {
      const windows = newWindows()
      const accepts = modelOf(quota)
      let at = start
      for (const wait of waits) {
        at += wait
        const reading = takeCall(windows, quota, at, usual, 1)
        expect(reading.accepted).toBe(accepts(at))
        const told = reading[reading.reported]
        expect(told.endsAt).toBeGreaterThan(at)
        expect(remaining(told)).toBe(
          reading.accepted ? Math.min(remaining(reading.minute), remaining(reading.day)) : 0,
        )
      }
    }),
  )
})

const everySetting: fc.Arbitrary<LimitSettings> = fc.record({
  window: fc.constantFrom('first-call', 'calendar'),
  headers: fc.constantFrom('tightest', 'minute', 'day'),
  countRefused: fc.boolean(),
  retryAfter: fc.constantFrom('seconds', 'http-date'),
  anonymous: fc.constantFrom('report', 'enforce'),
})
const usedBefore = fc.record({ minute: fc.nat(6), day: fc.nat(21) })

test('whatever the settings, a client that waits until the end that the headers name is accepted', () => {
  fc.assert(
    fc.property(quotas, usedBefore, everySetting, gaps, (quota, used, settings, waits) => {
      const windows = newWindows(used)
      let at = 1_000_000_000_000
      for (const wait of [0, ...waits]) {
        at += wait
        const reading = takeCall(windows, quota, at, settings, 1)
        if (reading.accepted) continue
        at = reading[reading.reported].endsAt ?? Number.NaN
        expect(takeCall(windows, quota, at, settings, 1).accepted).toBe(true)
      }
    }),
  )
})

test('countRefused: the refused call that uses up the day gets the reset of the day', () => {
  const settings = { ...usual, countRefused: true }
  const reading = takeCall(newWindows({ minute: 60, day: 999 }), { minute: 60, day: 1_000 }, 0, settings, 1)
  expect([reading.accepted, reading.reported, reading.day.used]).toEqual([false, 'day', 1_000])
})

test('two exhausted windows that end together: the headers report the longer one', () => {
  const settings = { ...usual, window: 'calendar' as const }
  const lastMinute = 86_400_000 - 30_000
  const reading = takeCall(newWindows({ minute: 2, day: 9 }), { minute: 2, day: 9 }, lastMinute, settings, 1)
  expect([reading.reported, reading.minute.endsAt, reading.day.endsAt]).toEqual([
    'day',
    86_400_000,
    86_400_000,
  ])
})

test('two exhausted windows: the headers report the one that ends last', () => {
  const windows = newWindows()
  const quota = { minute: 1, day: 2 }
  const take = (at: number) => takeCall(windows, quota, at, usual, 1)
  expect([take(0).accepted, take(86_390_000).accepted]).toEqual([true, true])
  const { reported, minute, day } = take(86_395_000)
  expect([reported, minute.endsAt, day.endsAt]).toEqual(['minute', 86_450_000, 86_400_000])
})

test('two windows with equal calls left: the headers report the day', () => {
  const left = (used: number) =>
    takeCall(newWindows({ minute: 0, day: used }), { minute: 5, day: 9 }, 0, usual, 1).reported
  expect([left(3), left(4), left(5)]).toEqual(['minute', 'day', 'day'])
})

test.each([
  [{ minute: 60, day: 0 }, 60_000, undefined],
  [{ minute: 0, day: 1_000 }, undefined, 86_400_000],
  [{ minute: 60, day: 1_000 }, 60_000, 86_400_000],
])('a refused call opens the windows that were used up, of %j', (used, minute, day) => {
  const windows = newWindows(used)
  const quota = { minute: 60, day: 1_000 }
  const { accepted, ...read } = takeCall(windows, quota, 0, usual, 1)
  expect([accepted, read.minute.endsAt, read.day.endsAt]).toEqual([false, minute, day])
  const later = readWindows(windows, quota, 1)
  expect([later.minute.endsAt, later.day.endsAt]).toEqual([minute, day])
})

test.each([
  ['first-call', 86_399_000 + 60_000, 86_399_000 + 86_400_000],
  ['calendar', 86_400_000, 86_400_000],
] as const)(
  'a call that is not counted learns of windows as if it opened them: %s',
  (window, minute, day) => {
    const windows = newWindows()
    const read = readLimit(windows, { minute: 60, day: 1_000 }, 86_399_500, { ...usual, window })
    expect([read.accepted, read.minute.used, read.minute.endsAt, read.day.endsAt]).toEqual([
      true,
      0,
      minute,
      day,
    ])
    expect(windows).toEqual(newWindows())
    const full = readLimit(newWindows({ minute: 60, day: 0 }), { minute: 60, day: 1_000 }, 0, usual)
    expect([full.accepted, full.reported]).toEqual([false, 'minute'])
  },
)

test('of any number of calls in one instant, exactly as many are accepted as are left', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), fc.nat(100), fc.nat(300), (limit, used, calls) => {
      const windows = newWindows({ minute: used, day: 0 })
      const quota = { minute: limit, day: 1_000_000 }
      const results = Array.from({ length: calls }, () => takeCall(windows, quota, 5_000, usual, 1))
      const accepted = results.filter(reading => reading.accepted)
      expect(accepted).toHaveLength(Math.min(calls, Math.max(0, limit - used)))
    }),
  )
})

const quota = { minute: 9, day: 99 }

test('a call that is taken back leaves the windows as they were', () => {
  const shared = { ...newWindows({ minute: 3, day: 7 }), othersPerMinute: 6 }
  takeCall(shared, quota, 0, usual, 1)
  for (const windows of [newWindows(), shared]) {
    const before = copyWindows(windows)
    takeBack(windows, before, takeCall(windows, quota, 30_000, usual, 2))
    expect(windows).toEqual({ ...before, othersPerMinute: 'othersPerMinute' in windows ? 6 : undefined })
  }
})

test.each([
  ['keeps a later call, and the window that it opened', 1, { opensAt: 0, used: 1, openedBy: 1 }],
  ['changes only its day after its minute', 60_000, { opensAt: 60_000, used: 1, openedBy: 2 }],
])('a call that is taken back %s', (_, later, minute) => {
  const windows = newWindows()
  const before = copyWindows(windows)
  const reading = takeCall(windows, quota, 0, usual, 1)
  takeCall(windows, quota, later, usual, 2)
  takeBack(windows, before, reading)
  expect(windows).toEqual({ minute, day: { opensAt: 0, used: 1, openedBy: 1 } })
})

test('a call that is taken back beside another client keeps later calls', () => {
  const windows = { ...newWindows(), othersPerMinute: 2 }
  takeCall(windows, quota, 0, usual, 1)
  const before = copyWindows(windows)
  const reading = takeCall(windows, quota, 30_000, usual, 2)
  for (const id of [3, 4]) takeCall(windows, quota, 30_000, usual, id)
  takeBack(windows, before, reading)
  expect([windows.minute.used, windows.day.used]).toEqual([3, 3])
})
