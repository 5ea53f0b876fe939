import { describe, expect, test } from 'vitest'
import { draw, fork } from '../../../src/base/random/random.ts'
import { assumedSettings } from '../../../src/control/profile/assumed.ts'
import type { Exchange } from '../../../src/emulator/journal/exchange.ts'
import type { Line, Profile } from '../../../src/emulator/worlds/scenario.ts'
import {
  compareProfiles,
  confirm,
  driftReport,
  exchangesThatShow,
  show,
} from '../../../src/judges/profile/drift.ts'
import { createLearner } from '../../../src/judges/profile/learner.ts'
import { createStandIn, modes, type Settings } from './stand-in.ts'

const service = 'https://pets.example/v1'
const oldest = '2026-10-01'

function exchangesOf(settings: Settings, at = Date.UTC(2026, 10, 22, 12, 0, 17)): readonly Exchange[] {
  const standIn = createStandIn(settings, { at })
  modes.writes(standIn)
  modes.ban(standIn)
  return standIn.exchanges
}

function learn(exchanges: readonly Exchange[]): Profile {
  const learner = createLearner({ service })
  for (const exchange of exchanges) learner.add(exchange)
  return learner.profile()
}

const changedIn = (before: Profile, now: Profile) =>
  compareProfiles(before, now, oldest).flatMap(({ path, drift }) => (drift === 'changed' ? [path] : []))

const usual = learn(exchangesOf({}))

describe('each setting changed alone is named alone', () => {
  const known = assumedSettings.filter(({ path }) => usual.learned[path]?.state === 'observed')

  test('most settings are known', () => {
    expect(known.length).toBeGreaterThan(25)
  })

  test.each(known.flatMap(({ path, samples }) => samples.map(value => ({ path, value }))))(
    '$path: $value',
    ({ path, value }) => {
      const now = learn(exchangesOf({ [path]: value }))
      const names = changedIn(usual, now)
      expect(names.filter(name => name !== path)).toEqual([])
      // What hides itself is not seen, and never the same.
      if (now.learned[path] !== undefined) expect(names).toEqual([path])
    },
  )
})

test('30 services that did not change, with failures, lost and slow responses: nothing changed', () => {
  for (let seed = 0; seed < 30; seed += 1) {
    const seen = exchangesOf({}, Date.UTC(2026, 10, 23, 9, 0, seed)).flatMap(
      (exchange, index): Exchange[] => {
        const chance = draw(fork(seed, 'failure'), index)
        if (chance < 0.01) return []
        if (chance < 0.02)
          return [{ ...exchange, reply: { status: 503, headers: {}, body: 'Service Unavailable' } }]
        return chance < 0.03 ? [{ ...exchange, answeredAt: (exchange.answeredAt ?? 0) + 4_000 }] : [exchange]
      },
    )
    expect(changedIn(usual, learn(seen)), `seed ${seed}`).toEqual([])
  }
})

const line = (value: unknown, more: Partial<Line> = {}): Line => ({
  value,
  state: 'observed',
  seen: 2,
  last: '2026-11-22',
  ...more,
})
const profileOf = (learned: Profile['learned']): Profile => ({ profile: 1, service, learned, unknown: [] })
const odd = (shows: string) => line(undefined, { state: 'other', shows })
const bounds = { state: 'bounded', atMost: 5 } as const

test.each<[string, Line, Line | undefined, string]>([
  ['the same value', line('a'), line('a'), 'same'],
  ['another value', line('a'), line('b'), 'changed'],
  ['nothing', line('a'), undefined, 'not-seen'],
  ['nothing for long', line('a', { last: '2026-09-30' }), undefined, 'too-old'],
  ['two values', line('a'), line('a', { state: 'contradicted' }), 'contradicted'],
  ['what no value describes', line('a'), odd('x'), 'changed'],
  ['it again', odd('x'), odd('x'), 'same'],
  ['something else that no value describes', odd('x'), odd('y'), 'changed'],
  ['a value in its place', odd('x'), line('a'), 'changed'],
  ['a value within bounds', line(undefined, bounds), line(4), 'same'],
  ['a value outside of bounds', line(undefined, bounds), line(9), 'changed'],
  ['bounds around a value', line(4), line(undefined, bounds), 'same'],
  ['bounds beside a value', line(9), line(undefined, bounds), 'changed'],
  ['a code whose wording is not known now', line({ code: 'a', message: 'A' }), line({ code: 'a' }), 'same'],
  ['another wording', line({ code: 'a', message: 'A' }), line({ code: 'a', message: 'B' }), 'changed'],
])('%s', (_says, old, now, drift) => {
  const lines = compareProfiles(profileOf({ x: old }), profileOf(now === undefined ? {} : { x: now }), oldest)
  expect(lines.map(one => one.drift)).toEqual([drift])
})

test('a change that the second run does not show is none', () => {
  const of = (value: unknown) =>
    compareProfiles(profileOf({ x: line('a') }), profileOf({ x: line(value) }), oldest)
  expect(confirm(of('b'), of('b')).map(({ drift }) => drift)).toEqual(['changed'])
  expect(confirm(of('b'), of('a')).map(({ drift }) => drift)).toEqual(['same'])
  expect(confirm(of('b'), of('c')).map(({ drift }) => drift)).toEqual(['contradicted'])
})

test('the report names old and new value, and the calls that show the new one', () => {
  const exchanges = exchangesOf({ pageOrder: 'descending' })
  const lines = compareProfiles(usual, learn(exchanges), oldest)
  const report = driftReport(lines, {
    service,
    calls: exchanges.length,
    notes: [],
    evidence: one => exchangesThatShow(one, service, exchanges.slice(0, 12)),
  })
  const [changed] = report.findings.filter(({ id }) => id === 'changed')
  expect(changed?.evidence.map(({ what, detail }) => `${what} ${detail}`)).toEqual([
    'pageOrder "ascending" until 2026-11-22, now "descending"',
    expect.stringMatching(/^ {2}GET \/v1\/pets.* → 200 $/),
  ])
})

test('without a line to compare, the profile is not judged', () => {
  const lines = compareProfiles(profileOf({ x: line('a') }), profileOf({}), oldest)
  const { unjudged, checks } = driftReport(lines, { service, calls: 0, notes: [], evidence: () => [] })
  expect(unjudged).toMatchObject([{ severity: 'error', count: 1 }])
  expect(checks.find(({ id }) => id === 'changed')?.result).toBe('unjudged')
})

test.each<[line: Partial<Line>, text: string]>([
  [{ state: 'bounded', atLeast: 20, atMost: 49 }, 'at least 20, at most 49'],
  [{ state: 'bounded', atMost: 49 }, 'at most 49'],
  [{ state: 'observed', value: 'clamp' }, '"clamp"'],
  [
    { state: 'other', shows: 'the default for any limit' },
    'something that no value describes (the default for any limit)',
  ],
  [
    {
      state: 'contradicted',
      values: [
        { value: 1, seen: 2, windows: 2, last: '2026-11-01' },
        { value: 2, seen: 2, windows: 2, last: '2026-11-02' },
      ],
    },
    '1 and 2',
  ],
])('%o is shown as %s', (line, text) => {
  expect(show({ state: 'observed', seen: 2, last: '2026-11-22', ...line })).toBe(text)
})
