import { describe, expect, it } from 'vitest'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import { Histogram } from '../../../src/emulator/metrics/metrics.ts'
import { noon, scenarioOf } from '../../support/scenarios.ts'

/** The counts after these calls: method, target and key of each. */
function countsAfter(file: ScenarioFile, ...calls: readonly (readonly [string, string, string])[]) {
  const emulator = createEmulator({ scenario: scenarioOf(file), startedAt: noon })
  for (const [method, target, key] of calls) {
    const headers = ['Host', 'localhost', 'Authorization', `Bearer ${key}`]
    emulator.handle({
      method,
      target,
      headers,
      body: undefined,
      scheme: 'http',
      client: 'a',
      receivedAt: noon,
    })
  }
  const { calls: counted, refusals, bans, refusedWhileBanned, ruleHits } = emulator.metrics
  return {
    rows: Array.from(counted, ({ operation, status, plan, calls }) => [operation, status, plan, calls]),
    total: counted.total,
    ...{ refusals, bans, refusedWhileBanned, ruleHits: Object.fromEntries(ruleHits) },
  }
}

const pets = (key: string) => ['GET', '/v1/pets', key] as const

it('counts calls by operation, status and plan, in whatever order they come', () => {
  const { rows, total } = countsAfter(
    {},
    pets('demo-free'),
    ['GET', '/v1/pets/7', 'demo-free'],
    pets('demo-free'),
    pets('demo-pro'),
    pets('demo-free'),
    ['GET', '/v1/pets/999999', 'demo-free'],
    pets('unknown'),
    ['GET', '/v1/nothing', 'demo-free'],
    ['OPTIONS', '/v1/pets', 'demo-free'],
    ['GET', '/elsewhere', 'unknown'],
    pets('demo-free'),
  )
  expect(rows).toEqual([
    ['listPets', 200, 'free', 4],
    ['getPet', 200, 'free', 1],
    ['listPets', 200, 'pro', 1],
    ['getPet', 404, 'free', 1],
    // A call that was refused before its operation was still for that operation.
    ['listPets', 401, undefined, 1],
    [undefined, 404, 'free', 1],
    [undefined, 204, 'free', 1],
    [undefined, 404, undefined, 1],
  ])
  expect(total).toBe(11)
})

it.each<[gate: string, file: ScenarioFile, calls: readonly string[], row: readonly unknown[]]>([
  ['key', {}, ['unknown'], ['listPets', 401, undefined, 1]],
  ['ban', { keys: { banned: { plan: 'free', banned: '5m' } } }, ['banned'], ['listPets', 429, 'free', 1]],
  [
    'limit',
    { keys: { full: { plan: 'free', used: { day: 1_000 } } } },
    ['full'],
    ['listPets', 429, 'free', 1],
  ],
  ['rule', { rules: [{ then: { status: 503 } }] }, ['demo-free'], ['listPets', 503, 'free', 1]],
])('counts a call that the gate %s answers for its operation', (_, file, keys, row) => {
  expect(countsAfter(file, ...keys.map(pets)).rows).toEqual([row])
})

it('counts a removed operation for itself', () => {
  const file: ScenarioFile = { clock: { at: '2030-12-05T00:00:00Z' } }
  const { rows } = countsAfter(file, ['GET', '/v1/pets/7', 'demo-free'], pets('demo-free'))
  expect(rows).toEqual([
    ['getPet', 404, 'free', 1],
    ['listPets', 200, 'free', 1],
  ])
})

describe('refusals', () => {
  const keys: ScenarioFile['keys'] = {
    minute: { plan: 'free', used: { minute: 60 } },
    day: { plan: 'pro', used: { day: 100_000 } },
    banned: { plan: 'free', banned: '5m' },
  }
  const none = { refusals: { minute: 0, day: 0 }, bans: 0, refusedWhileBanned: 0 }
  it.each<[what: string, file: ScenarioFile, keys: readonly string[], counts: object]>([
    ['accepted', {}, ['demo-free'], none],
    ['over the limit of the minute', {}, ['minute'], { ...none, refusals: { minute: 1, day: 0 } }],
    ['over the limit of the day', {}, ['day', 'day'], { ...none, refusals: { minute: 0, day: 2 } }],
    [
      'so often that the key is banned',
      { bans: { after: 2 } },
      ['minute', 'minute', 'minute'],
      { refusals: { minute: 2, day: 0 }, bans: 1, refusedWhileBanned: 1 },
    ],
    ['during a ban', {}, ['banned'], { ...none, refusedWhileBanned: 1 }],
    ['refused by a rule', { rules: [{ name: 'a', then: { status: 429 } }] }, ['demo-free'], none],
    ['without a key, over a limit that counts nobody', {}, Array.from({ length: 62 }, () => 'unknown'), none],
  ])('%s', (_, file, callers, counts) => {
    expect(countsAfter({ keys, ...file }, ...callers.map(pets))).toMatchObject(counts)
  })
})

it('counts what each rule did, and from the 1001st rule on all together', () => {
  const rules = Array.from({ length: 1_002 }, (_, index) => ({
    name: `rule ${index}`,
    then: { delay: '1ms' as const },
  }))
  const { ruleHits } = countsAfter({ rules }, pets('demo-free'), pets('demo-free'))
  expect(Object.keys(ruleHits)).toHaveLength(1_001)
  expect([ruleHits['rule 0'], ruleHits['rule 999'], ruleHits['rule 1000'], ruleHits['other rules']]).toEqual([
    2,
    2,
    undefined,
    4,
  ])
})

it('counts a latency at the first bound that is not below it', () => {
  const histogram = new Histogram()
  expect(histogram.cumulative().every(count => count === 0)).toBe(true)
  for (const seconds of [0.0001, 0.0002, 0.00025, 30, 31]) histogram.observe(seconds)
  const counts = histogram.cumulative()
  expect([counts.length, ...counts.slice(0, 3), ...counts.slice(-2)]).toEqual([
    histogram.bounds.length,
    1,
    3,
    3,
    3,
    4,
  ])
  expect(histogram.count).toBe(5)
  expect(histogram.sum).toBeCloseTo(61.00055)
})

it('has the latencies that a door measures', () => {
  const { metrics } = createEmulator({ scenario: scenarioOf({}), startedAt: noon })
  metrics.onLatency(0.5)
  expect([metrics.latency.count, metrics.latency.sum]).toEqual([1, 0.5])
})

it('counts what Prefer asked for, and a failure of pet-mock, for the operation, and a foreign host for none', () => {
  const scenario = scenarioOf({})
  const behaviour = Object.defineProperty({ ...scenario.behaviour }, 'bans', {
    get: () => {
      throw new Error('bans are on fire')
    },
  })
  const rowsOf = (failing: boolean, ...headers: readonly string[]) => {
    const emulator = createEmulator({
      scenario: failing ? { ...scenario, behaviour } : scenario,
      startedAt: noon,
      onError: () => {},
    })
    emulator.handle({
      method: 'GET',
      target: '/v1/pets',
      headers: ['Authorization', 'Bearer demo-free', ...headers],
      body: undefined,
      scheme: 'http',
      client: 'a',
      receivedAt: noon,
    })
    return Array.from(emulator.metrics.calls, ({ operation, status }) => [operation, status])
  }
  expect(rowsOf(false, 'Host', 'localhost', 'Prefer', 'code=503')).toEqual([['listPets', 503]])
  expect(rowsOf(true, 'Host', 'localhost')).toEqual([['listPets', 500]])
  expect(rowsOf(false, 'Host', 'evil.test')).toEqual([[undefined, 403]])
})
