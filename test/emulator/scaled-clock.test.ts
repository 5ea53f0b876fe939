import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatInstant } from '../../src/base/time/instant.ts'
import type { Command, ScenarioFile } from '../../src/control/scenario/file.ts'
import { createEmulator } from '../../src/emulator/emulator.ts'
import type { Call, Reply } from '../../src/service/call/call.ts'
import { changing } from '../support/changes.ts'
import { scenarioOf } from '../support/scenarios.ts'

const start = Date.UTC(2026, 2, 2)

function open(scale: number, startedAt: number, file: ScenarioFile = {}) {
  const keys = { tiny: { plan: 'free', limits: { minute: 1 } } }
  const clock = { at: '2030-01-01T00:00:00.400Z', scale, ...file.clock }
  const scenario = scenarioOf({ keys, bans: 'off', ...file, clock })
  const emulator = createEmulator({ scenario, startedAt })
  return (receivedAt: number): Reply => emulator.handle({ ...callOf('tiny'), receivedAt })
}

function callOf(key: string): Omit<Call, 'receivedAt'> {
  return {
    method: 'GET',
    target: '/v1/pets',
    headers: ['Host', 'localhost', 'Authorization', `Bearer ${key}`],
    body: undefined,
    scheme: 'http',
    client: '127.0.0.1',
  }
}

test('at 8 times real time, a minute that ends in 7.45 s resets in 8 s', () => {
  const call = open(8, start)
  call(start)
  const { status, headers } = call(start)
  expect([status, headers['Retry-After'], Number(headers['X-RateLimit-Reset']) - start / 1_000]).toEqual([
    429,
    '8',
    8,
  ])
})

test('a reset that is just after a second of the client is the next second', () => {
  const call = open(86_400, start, {
    clock: { at: '2029-12-31T23:59:59.999Z' },
    limits: { window: 'calendar' },
    keys: { tiny: { plan: 'free', limits: { minute: 9, day: 1 } } },
  })
  expect([call(start + 1).status, call(start + 2).status]).toEqual([200, 429])
  const reset = Number(call(start + 3).headers['X-RateLimit-Reset']) * 1_000
  expect([reset, call(reset).status]).toEqual([start + 2_000, 200])
})

test.each([
  [1, '2030-01-01T00:00:00Z'],
  [2, '2026-03-02T00:00:00Z'],
])('at scale %i, Date is %s', (scale, date) => {
  expect(Date.parse(open(scale, start)(start).headers.Date ?? '')).toBe(Date.parse(date))
})

test.each([
  ['3m', 180_000],
  ['-3m', -180_000],
  ['+1h', 3_600_000],
])('a clock with the offset %s runs', (offset, ms) => {
  const { handle } = createEmulator({ scenario: scenarioOf({ clock: { offset } }), startedAt: start })
  for (const receivedAt of [start, start + 90_000]) {
    const { headers } = handle({ ...callOf('demo-free'), receivedAt })
    expect(Date.parse(headers.Date ?? '')).toBe(receivedAt + ms)
    expect(Number(headers['X-RateLimit-Reset']) * 1_000).toBe(receivedAt + ms + 60_000)
  }
})

test('a clock with an offset that is frozen shows one time', () => {
  const scenario = scenarioOf({ clock: { offset: '3m' } })
  const emulator = createEmulator({ scenario, startedAt: start })
  changing(emulator)({ do: 'freezeClock' }, undefined, start)
  const { headers } = emulator.handle({ ...callOf('demo-free'), receivedAt: start + 5_000 })
  expect(Date.parse(headers.Date ?? '')).toBe(start + 180_000)
  expect(Number(headers['X-RateLimit-Reset']) * 1_000).toBe(start + 180_000 + 60_000)
})

test.each([
  ['3m', 6_000],
  ['-3m', -6_000],
])('at 30 times real time, an offset of %s passes as fast', (offset, ms) => {
  const call = open(30, start, { clock: { at: null, offset } })
  call(start)
  const { status, headers } = call(start)
  const reset = Number(headers['X-RateLimit-Reset']) * 1_000
  expect([status, headers['Retry-After'], Date.parse(headers.Date ?? ''), reset]).toEqual([
    429,
    '2',
    start + ms,
    start + ms + 2_000,
  ])
  expect(call(start + 2_000).status).toBe(200)
})

test.each<[what: string, clock: ScenarioFile['clock'], change: Command | undefined, skewMs?: number]>([
  ['no offset', { at: null }, undefined],
  ['no offset on a fast clock', { at: null, scale: 30 }, undefined],
  ['an offset', { at: null, offset: '3m' }, undefined, 180_000],
  ['an offset on a fast clock', { at: null, offset: '3m', scale: 30 }, undefined, 6_000],
  ['an offset on a slow clock', { at: null, offset: '-3m', scale: 0.5 }, undefined, -360_000],
  ['an offset on a clock that was moved', { at: null, offset: '3m' }, { do: 'advanceClock', by: '1s' }],
  ['an offset on a clock that was frozen', { at: null, offset: '3m' }, { do: 'freezeClock' }],
])('with %s, an exchange says how far Date is ahead', (_, clock, change, skewMs) => {
  const emulator = createEmulator({ scenario: scenarioOf({ clock }), startedAt: start })
  const skews: (number | undefined)[] = []
  emulator.observe(exchange => skews.push(exchange.skewMs))
  if (change !== undefined) changing(emulator)(change, undefined, start)
  emulator.handle({ ...callOf('demo-free'), receivedAt: start })
  expect(skews).toEqual([skewMs])
})

test('a clock that runs past its last instant stops there, and years keep four digits', () => {
  const call = open(86_400, start)
  const { status, headers } = call(start + 40 * 86_400_000)
  expect([status, headers['X-RateLimit-Reset']]).toEqual([200, expect.stringMatching(/^\d{10,12}$/)])
  expect(formatInstant(Number(headers['X-RateLimit-Reset']) * 1_000)).toMatch(/^\d{4}-/)
})

test('on a slow clock, a ban set by hand ends in a year of four digits', () => {
  const emulator = createEmulator({ scenario: scenarioOf({ clock: { scale: 0.001 } }), startedAt: start })
  changing(emulator)({ do: 'banKey', key: 'demo-free', for: '36500d' }, undefined, start)
  const { headers } = emulator.handle({ ...callOf('demo-free'), receivedAt: start })
  expect(headers['X-RateLimit-Reset']).toBe(`${Date.UTC(9999, 11, 31, 23, 59, 59) / 1_000}`)
})

test('whatever the pace, a client that waits by its own clock until the reset is accepted', () => {
  const scales = fc.oneof(
    fc.integer({ min: 2, max: 86_400 }),
    fc.double({ min: 0.001, max: 100, noNaN: true }),
  )
  fc.assert(
    fc.property(scales, fc.nat(999), fc.nat(900), (scale, offset, later) => {
      const call = open(scale, start + offset)
      let now = start + offset
      expect(call(now).status).toBe(200)
      now += Math.floor(later / scale)
      const refused = call(now)
      if (refused.status === 200) return
      const reset = Number(refused.headers['X-RateLimit-Reset']) * 1_000
      const date = Date.parse(refused.headers.Date ?? '')
      expect(date).toBe(Math.floor(now / 1_000) * 1_000)
      expect(reset).toBe(date + Number(refused.headers['Retry-After']) * 1_000)
      expect(call(reset).status).toBe(200)
    }),
    { examples: [[0.0266194897504116, 5, 692]] },
  )
})
