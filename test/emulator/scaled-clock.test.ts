import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEmulator } from '../../src/emulator/emulator.ts'
import type { Call, Reply } from '../../src/service/call/call.ts'
import { scenarioOf } from '../support/scenarios.ts'

const start = Date.UTC(2026, 2, 2)

function open(scale: number, startedAt: number) {
  const keys = { tiny: { plan: 'free', limits: { minute: 1 } } }
  const clock = { at: '2030-01-01T00:00:00.400Z', scale }
  const emulator = createEmulator({ scenario: scenarioOf({ clock, keys, bans: 'off' }), startedAt })
  return (receivedAt: number): Reply => {
    const call: Call = {
      method: 'GET',
      target: '/v1/pets',
      headers: ['Host', 'localhost', 'Authorization', 'Bearer tiny'],
      body: undefined,
      scheme: 'http',
      client: '127.0.0.1',
      receivedAt,
    }
    return emulator.handle(call)
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
