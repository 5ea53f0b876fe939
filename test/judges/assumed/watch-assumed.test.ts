import { describe, expect, test } from 'vitest'
import { draw, fork } from '../../../src/base/random/random.ts'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import { assumedSettings, settingAt } from '../../../src/control/profile/assumed.ts'
import { overlay } from '../../../src/control/scenario/extend.ts'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { settle, settleChecked } from '../../../src/control/scenario/settle/settle.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import { adoptScenario } from '../../../src/emulator/worlds/adopt-scenario.ts'
import type { Line, Profile } from '../../../src/emulator/worlds/scenario.ts'
import { type AssumedOptions, watchAssumed } from '../../../src/judges/assumed/watch-assumed.ts'
import type { Call, Reply } from '../../../src/service/call/call.ts'
import { noon } from '../../support/scenarios.ts'

const start = noon + 7_750
const clock = { clock: { at: new Date(start).toISOString() } }

function callOf(
  target: string,
  others: { method?: string; key?: string | null; body?: string; type?: string } = {},
  at = 0,
): Call {
  const { method = 'GET', key = 'demo-free', body, type = 'application/json' } = others
  const headers = {
    Host: '127.0.0.1',
    ...(key !== null && { Authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'Content-Type': type }),
  }
  return {
    method,
    target: `/v1${target}`,
    headers: Object.entries(headers).flat(),
    body: body === undefined ? undefined : new TextEncoder().encode(body),
    scheme: 'http',
    client: '127.0.0.1',
    receivedAt: start + at,
  }
}

const kinds: readonly ((at: number) => Call)[] = [
  at => callOf('/pets', {}, at),
  at => callOf('/pets?limit=2', {}, at),
  at => callOf('/pets?limit=0', {}, at),
  at => callOf('/pets/3', {}, at),
  at => callOf('/pets/777', {}, at),
  at => callOf('/nothing', {}, at),
  at => callOf('/nothing', { key: null }, at),
  at => callOf('/pets', { key: 'wrong' }, at),
  at => callOf('/pets', { method: 'PUT' }, at),
  at => callOf('/pets', { method: 'POST', body: '{"name":"Rex","categoryId":1}' }, at),
  at => callOf('/pets', { method: 'POST', body: '{"name":7}', type: 'text/plain' }, at),
  at => callOf('/pets', { method: 'POST', body: '{' }, at),
]

/** Calls of a client that soon has no quota left, and is banned at last. */
function drawCalls(seed: number, count: number): readonly Call[] {
  let at = 0
  return Array.from({ length: count }, (_, index) => {
    const own = fork(seed, `${index}`)
    at += Math.floor(draw(own, 0) ** 8 * 90_000)
    const kind = kinds[Math.floor(draw(own, 1) * kinds.length)] ?? kinds[0]
    return kind?.(at) ?? callOf('/pets', {}, at)
  })
}

const textOf = ({ status, headers, body }: Reply) => {
  const { Date: _date, ...others } = headers
  return JSON.stringify([status, body, Object.entries(others).sort()])
}

/** The calls on which a setting decides, by brute force: all calls before are made again, and then the setting is switched. */
function bruteForce(
  file: ScenarioFile,
  calls: readonly Call[],
  replies: readonly Reply[],
  path: string,
  samples: readonly unknown[],
) {
  const scenario = settle('s', file, shippedFixtures)
  const others = samples.map(value =>
    settleChecked('s', overlay(file, settingAt(path, value)), shippedFixtures),
  )
  return calls.flatMap((call, index) => {
    const differs = others.some(other => {
      const emulator = createEmulator({ scenario, startedAt: start })
      for (const earlier of calls.slice(0, index)) emulator.handle(earlier)
      const world = emulator.sandboxes.default
      adoptScenario(world, other, call.receivedAt)
      const real = replies[index]
      return real !== undefined && textOf(emulator.handle(call)) !== textOf(real)
    })
    return differs ? [index + 1] : []
  })
}

function watch(
  file: ScenarioFile,
  calls: readonly Call[],
  options: Partial<AssumedOptions> = {},
  profile?: Profile,
) {
  const assumed = watchAssumed({ require: 'observed', allowed: [], fixtures: shippedFixtures, ...options })
  const emulator = createEmulator({
    scenario: settle('s', file, shippedFixtures, profile),
    startedAt: start,
    pass: assumed.pass,
  })
  const replies = calls.map(emulator.handle)
  return { replies, report: assumed.report() }
}

const pathOf = (title: string) => / on (\S+), which/.exec(title)?.[1] ?? ''

describe('the calls that rest on a setting are exactly those whose response another value changes', () => {
  const file: ScenarioFile = {
    ...clock,
    keys: { 'demo-free': { plan: 'free', limits: { minute: 9, day: 30 } } },
    bans: { after: 4, for: '20s' },
  }
  const calls = drawCalls(5, 200)
  const { replies, report } = watch(file, calls)
  const found = new Map(
    report.findings.map(({ title, count, evidence }) => [
      pathOf(title),
      { count, ids: evidence.map(({ request }) => request) },
    ]),
  )

  test('each status came', () => {
    expect([...new Set(replies.map(({ status }) => status))].sort()).toEqual([
      200, 201, 400, 401, 404, 405, 429,
    ])
  })

  test.each(assumedSettings.filter(({ path }) => !/^bans\.(?:after|for)$/.test(path)))(
    '$path',
    ({ path, samples }) => {
      const expected = bruteForce(file, calls, replies, path, samples)
      expect(found.get(path)?.count ?? 0).toBe(expected.length)
      expect(found.get(path)?.ids ?? []).toEqual(expected.slice(0, 20))
    },
  )
})

describe('what is not assumed', () => {
  const line = (more: Partial<Line>): Line => ({ state: 'observed', seen: 3, last: '2026-11-22', ...more })
  const profileOf = (learned: Profile['learned']): Profile => ({
    profile: 1,
    service: 'https://a/v1',
    learned,
    unknown: [],
  })
  const calls = [callOf('/pets/777')]
  const paths = (...given: Parameters<typeof watch>) =>
    watch(...given).report.findings.map(({ title }) => pathOf(title))
  const notFound = { code: 'pet_not_found' }

  test.each<[string, ScenarioFile, Partial<AssumedOptions>, Profile | undefined, boolean]>([
    ['an assumed setting', {}, {}, undefined, true],
    ['one that the scenario gives', { errors: { pet_not_found: notFound } }, {}, undefined, false],
    [
      'one that was observed',
      {},
      {},
      profileOf({ 'errors.pet_not_found': line({ value: notFound }) }),
      false,
    ],
    [
      'one that was inferred',
      {},
      {},
      profileOf({ 'errors.pet_not_found': line({ value: notFound, state: 'inferred' }) }),
      true,
    ],
    [
      'one that was inferred, which is good enough',
      {},
      { require: 'inferred' },
      profileOf({ 'errors.pet_not_found': line({ value: notFound, state: 'inferred' }) }),
      false,
    ],
    [
      'one that is contradicted',
      {},
      {},
      profileOf({ 'errors.pet_not_found': line({ state: 'contradicted', values: [] }) }),
      true,
    ],
    ['one that may be assumed', {}, { allowed: ['errors.pet_not_found'] }, undefined, false],
  ])('%s', (_says, file, options, profile, isListed) => {
    expect(paths({ ...clock, ...file }, calls, options, profile).includes('errors.pet_not_found')).toBe(
      isListed,
    )
  })
})
