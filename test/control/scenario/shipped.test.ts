import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import { settle } from '../../../src/control/scenario/settle/settle.ts'
import { shippedScenarios } from '../../../src/control/scenario/shipped.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import { faultName } from '../../../src/service/call/fault.ts'

const names = readdirSync('scenarios')
  .map(file => file.replace('.yaml', ''))
  .sort()
const files = names.map(name => `${name}.yaml`)

function settled(name: string) {
  return settle(name, shippedScenarios.get(name) ?? {}, shippedFixtures)
}

test('every file is shipped under its name', () => {
  expect([...shippedScenarios.keys()]).toEqual(names)
})

test.each(files)('%s names the schema, a title and a description, and settles', file => {
  const text = readFileSync(`scenarios/${file}`, 'utf8')
  expect(text).toMatch(
    /^# yaml-language-server: \$schema=\.\.\/schemas\/scenario\.schema\.json\ntitle: .+\ndescription: .+\n/,
  )
  const scenario = settled(file.replace('.yaml', ''))
  expect(scenario.description).toBeDefined()
  expect([...scenario.keys.keys()]).toEqual(
    expect.arrayContaining(['demo-free', 'demo-pro', 'demo-business', 'demo-enterprise']),
  )
})

test.each([
  ['free-plan', 'demo-free', 60, 1000],
  ['pro-plan', 'demo-pro', 300, 10_000],
  ['business-plan', 'demo-business', 1000, 100_000],
  ['enterprise-plan', 'demo-enterprise', 5000, 500_000],
])('%s is about %s', (name, key, minute, day) => {
  const scenario = settled(name)
  expect(scenario.key).toBe(key)
  expect(scenario.keys.get(key)).toMatchObject({ quota: { minute, day }, used: { minute: 0, day: 0 } })
})

test.each([
  ['rate-limit-exhaustion', { minute: 3, day: 588 }, 0],
  ['daily-limit', { minute: 48, day: 2 }, 0],
  ['ban', { minute: 0, day: 588 }, 9],
])('%s: what is left', (name, left, strikes) => {
  const key = settled(name).keys.get('demo-free')
  expect(key?.strikes).toBe(strikes)
  expect({ minute: 60 - (key?.used.minute ?? 0), day: 1000 - (key?.used.day ?? 0) }).toEqual(left)
})

test('not-found: the gone ids were given', () => {
  const { pets } = settled('not-found')
  expect([1, 2, 3, 4, 12, 13].map(id => pets.get(id)?.id)).toEqual([
    undefined,
    undefined,
    undefined,
    4,
    12,
    undefined,
  ])
})

test('after-removal: the clock starts after it, and runs', () => {
  const { clock, behaviour } = settled('after-removal')
  expect(clock.at).toBeGreaterThan(behaviour.deprecation.removedAt)
  expect(clock.scale).toBe(1)
})

test.each<[string, readonly string[]]>([
  ['broken-connections', ['fine', 'malformed', 'truncate', 'reset', 'fine', 'truncate', 'fine', 'reset']],
  ['outage', Array.from({ length: 8 }, (_, call) => (call < 6 ? '503' : 'fine'))],
  ['slow', Array.from({ length: 8 }, () => 'late')],
])('%s: the fate of a key’s first calls, five seconds apart', (name, expected) => {
  expect(fates(name, 8, 5_000)).toEqual(expected)
})

test('flaky: one call in twenty fails, and the same ones each time', () => {
  const found = fates('flaky', 2_000, 90_000)
  const failed = found.filter(fate => fate === '503').length
  // 100 are to be expected; five standard deviations are 49.
  expect([failed > 51, failed < 149, new Set(found)]).toEqual([true, true, new Set(['fine', '503'])])
  expect(fates('flaky', 2_000, 90_000)).toEqual(found)
  expect(found.slice(0, 60)).toContain('503')
})

/** What becomes of a key's calls, so many milliseconds apart. */
function fates(name: string, calls: number, apart: number): string[] {
  const scenario = settled(name)
  const { handle } = createEmulator({ scenario, startedAt: 0 })
  return Array.from({ length: calls }, (_, call) => {
    const headers = ['Host', 'localhost', 'Authorization', `Bearer ${scenario.key}`]
    const { status, fault, delayMs } = handle({
      method: 'GET',
      target: '/v1/pets',
      headers,
      body: undefined,
      scheme: 'http',
      client: '127.0.0.1',
      receivedAt: call * apart,
    })
    if (fault !== undefined) return faultName(fault)
    if (delayMs !== undefined) return 'late'
    return status === 200 ? 'fine' : `${status}`
  })
}

test('shipped scenarios hold without the shipped keys, too', () => {
  for (const [name, file] of shippedScenarios) {
    const scenario = settle(name, file, { ...shippedFixtures, keys: { mine: 'pro' } })
    expect(scenario.keys.has(scenario.key)).toBe(true)
  }
})
