import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Call, Reply } from '../../src/call/call.ts'
import { createEmulator } from '../../src/emulator/emulator.ts'
import { restoreSnapshot, takeSnapshot } from '../../src/emulator/snapshot.ts'
import type { ScenarioFile } from '../../src/scenario/file.ts'
import { scenarioOf } from '../support/scenarios.ts'

const start = Date.UTC(2026, 2, 2)

function open(file: ScenarioFile) {
  const emulator = createEmulator({ scenario: scenarioOf(file), startedAt: start })
  return { world: emulator.sandboxes.default, handle: emulator.handle }
}

function call(target: string, key: string | undefined, receivedAt: number, body?: string): Call {
  const authorization = key === undefined ? [] : ['Authorization', `Bearer ${key}`]
  return {
    method: body === undefined ? 'GET' : 'POST',
    target,
    headers: ['Host', 'localhost', ...authorization, 'Content-Type', 'application/json'],
    body: body === undefined ? undefined : new TextEncoder().encode(body),
    scheme: 'http',
    client: '127.0.0.1',
    receivedAt,
  }
}

const calls = fc.array(
  fc.record({
    target: fc.constantFrom(
      '/v1/pets',
      '/v1/pets?status=sold&limit=3',
      '/v1/pets/101',
      '/v1/pets/1',
      '/v1/nothing',
    ),
    key: fc.constantFrom('demo-free', 'demo-pro', 'tiny', undefined),
    body: fc.constantFrom(undefined, undefined, '{"name":"Rex","categoryId":9223372036854775807}', '{}'),
    after: fc.nat(20_000),
  }),
  { maxLength: 30 },
)

test.each<[string, ScenarioFile]>([
  [
    'a frozen clock',
    { keys: { tiny: { plan: 'free', limits: { minute: 2 } } }, bans: { after: 3, for: '1m' } },
  ],
  [
    'a running clock',
    {
      clock: { frozen: false },
      keys: { tiny: { plan: 'free', limits: { minute: 2 } } },
      bans: { after: 3, for: '1m' },
    },
  ],
  [
    'rules that count and draw',
    {
      keys: { tiny: { plan: 'free' } },
      rules: [
        {
          match: { body: { categoryId: 9223372036854775807n } },
          when: { every: 2 },
          then: { fault: 'reset' },
        },
        { when: { probability: 0.4 }, then: { status: 503 }, times: 5 },
        { when: { after: '10s' }, then: { delay: { uniform: ['1ms', '9s'] } } },
      ],
    },
  ],
  [
    'ids beyond 2^53 and ids that are gone',
    {
      pets: { count: 5, firstId: 9007199254740993n, gone: [9007199254740994n] },
      keys: { tiny: { plan: 'free' } },
    },
  ],
])('on %s, a world that was put back through JSON goes on as the original does, byte by byte', (_, file) => {
  fc.assert(
    fc.property(calls, calls, (before, after) => {
      const original = open(file)
      const copy = open({ ...file, seed: 99, pets: { count: 1 } })
      let now = start
      const play = (handle: (call: Call) => Reply, step: (typeof before)[number], at: number) =>
        handle(call(step.target, step.key, at, step.body))
      for (const step of before) {
        now += step.after
        play(original.handle, step, now)
      }
      restoreSnapshot(copy.world, JSON.parse(JSON.stringify(takeSnapshot(original.world))))
      expect(takeSnapshot(copy.world)).toEqual({ ...takeSnapshot(original.world) })
      for (const step of after) {
        now += step.after
        // The octets are the same body, where they are known already.
        expect({ ...play(copy.handle, step, now), octets: undefined }).toEqual({
          ...play(original.handle, step, now),
          octets: undefined,
        })
      }
    }),
    { numRuns: 50 },
  )
})

test('a snapshot is a value: what happens later does not change it', () => {
  const { world, handle } = open({})
  const snapshot = takeSnapshot(world)
  const before = JSON.stringify(snapshot)
  handle(call('/v1/pets', 'demo-free', start, '{"name":"Rex","categoryId":1}'))
  handle(call('/v1/pets', undefined, start))
  expect(JSON.stringify(snapshot)).toBe(before)
})

test('ids that were used up last stay used up', () => {
  const original = open({ pets: { count: 5, gone: [4, 5] } })
  const copy = open({})
  restoreSnapshot(copy.world, takeSnapshot(original.world))
  const { headers } = copy.handle(call('/v1/pets', 'demo-free', start, '{"name":"Rex","categoryId":1}'))
  expect(headers.Location).toBe('/v1/pets/6')
})
