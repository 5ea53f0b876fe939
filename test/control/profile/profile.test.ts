import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatComplaint } from '../../../src/control/files/complaint.ts'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import { assumedSettings, readSetting } from '../../../src/control/profile/assumed.ts'
import { profileText, readProfile } from '../../../src/control/profile/file.ts'
import { mergeProfiles } from '../../../src/control/profile/merge.ts'
import {
  learnedBelow,
  showFidelity,
  sourceOf,
  sourcesBehind,
  underScenario,
} from '../../../src/control/profile/serve.ts'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { settle } from '../../../src/control/scenario/settle/settle.ts'
import { scenarioText } from '../../../src/control/scenario/show.ts'
import type { Line, Profile } from '../../../src/emulator/worlds/scenario.ts'

const service = 'https://staging.example/v1'
const text = `profile: 1
service: https://staging.example/v1
learned:
  limits.window: { value: calendar, state: observed, seen: 14, last: 2026-11-22 }
  limits.retryAfter: { value: http-date, state: inferred, seen: 5, last: 2026-11-22 }
  bans.after: { atMost: 5, state: bounded, seen: 1, last: 2026-10-30 }
  bans.for: { value: 900s, state: inferred, seen: 1, last: 2026-10-30 }
  bans.status: { value: 403, state: observed, seen: 1, last: 2026-10-30 }
  errors.pet_not_found: { code: not_found, message: No pet {id}, state: observed, seen: 9, last: 2026-11-22 }
  latency.listPets: { median: 80ms, p99: 900ms, seen: 412, last: 2026-11-22 }
unknown:
  - bans.escalate
  - deprecation.after
`.replace('No pet {id}', '"No pet {id}"')

async function read(file = text): Promise<Profile> {
  const reading = await readProfile('p.yaml', file)
  if (!reading.ok) throw new Error(reading.complaints.map(formatComplaint).join('\n'))
  return reading.value
}

const line = (value: unknown, more: Partial<Line> = {}): Line => ({
  value,
  state: 'observed',
  seen: 1,
  last: '2026-11-22',
  windows: 1,
  ...more,
})
const profileOf = (learned: Profile['learned']): Profile => ({ profile: 1, service, learned, unknown: [] })
const merged = (...lines: readonly Line[]) =>
  lines.reduce<Profile | undefined>(
    (before, now) => mergeProfiles(before, profileOf({ 'limits.window': now })),
    undefined,
  )?.learned['limits.window']

describe('the file', () => {
  test('what is written is what was read, byte for byte', async () => {
    const profile = await read()
    const written = await profileText(profile)
    expect(written.replaceAll('"', '')).toBe(text.replaceAll('"', ''))
    expect(await read(written)).toEqual(profile)
  })

  test.each([
    ['profile: 2\nservice: https://a/v1\nlearned: {}\nunknown: []', '1:10: profile: expected 1, found 2'],
    [
      'profile: 1\nservice: nowhere\nlearned: {}\nunknown: []',
      '2:10: service: expected a URL, found "nowhere"',
    ],
    [
      text.replace('value: calendar', 'value: calender'),
      'learned.limits.window.value: expected one of first-call, calendar, found "calender"; did you mean calendar?',
    ],
    [text.replace('limits.window', 'limits.windows'), 'unknown field'],
    [
      text.replace('seen: 14', 'seen: 0'),
      'learned.limits.window.seen: expected a whole number (1 or more), found 0',
    ],
    [
      text.replace('state: observed, seen: 14', 'state: sure, seen: 14'),
      'learned.limits.window.state: expected one of observed, inferred, bounded, contradicted, other, found "sure"',
    ],
    ['profile: 1\n__proto__: { a: 1 }', '2:1: a field cannot be named __proto__'],
    ['[]', 'expected a map of fields'],
    ['', 'the file is empty'],
  ])('%j is refused with its place', async (file, complaint) => {
    const reading = await readProfile('p.yaml', file)
    const complaints = reading.ok ? [] : reading.complaints.map(formatComplaint)
    expect(complaints.join('\n')).toContain(complaint)
    expect(complaints.every(one => /^p\.yaml:\d+:\d+: /.test(one))).toBe(true)
  })
})

describe('merging', () => {
  const window = 'calendar'
  test.each<[string, readonly Line[], object]>([
    [
      'the same value is seen more often',
      [line(window), line(window, { last: '2026-11-24' })],
      { value: window, seen: 2, last: '2026-11-24', state: 'observed' },
    ],
    [
      'an inferred value that is observed is observed',
      [line(window, { state: 'inferred' }), line(window)],
      { state: 'observed' },
    ],
    [
      'an observed value that is inferred later stays observed',
      [line(window), line(window, { state: 'inferred', last: '2026-11-24' })],
      { state: 'observed', value: window, seen: 2, last: '2026-11-24' },
    ],
    [
      'another value is a contradiction',
      [line('first-call', { seen: 14 }), line(window)],
      {
        state: 'contradicted',
        values: [
          { value: 'first-call', seen: 14 },
          { value: window, windows: 1 },
        ],
      },
    ],
    [
      'until it was seen again',
      [line('first-call', { seen: 14 }), line(window), line(window)],
      { state: 'observed', value: window, seen: 2 },
    ],
    [
      'the old value again wins as well',
      [line('first-call'), line(window), line('first-call', { windows: 2 })],
      { state: 'observed', value: 'first-call' },
    ],
    [
      'what no value describes replaces a value',
      [line(window), line(undefined, { state: 'other' })],
      { state: 'other', value: undefined },
    ],
    [
      'a value in its place counts once it was seen again',
      [line(undefined, { state: 'other' }), line(window)],
      { state: 'contradicted', values: [{ value: window, windows: 1 }] },
    ],
    [
      'which is now',
      [line(undefined, { state: 'other' }), line(window), line(window)],
      { state: 'observed', value: window, seen: 2 },
    ],
    [
      'a value of two windows wins at once',
      [line('first-call'), line(window, { windows: 2 })],
      { state: 'observed', value: window },
    ],
    [
      'bounds tighten',
      [
        line(undefined, { state: 'bounded', atMost: 8 }),
        line(undefined, { state: 'bounded', atMost: 5, atLeast: 2 }),
      ],
      { state: 'bounded', atMost: 5, atLeast: 2 },
    ],
    [
      'bounds do not loosen',
      [line(undefined, { state: 'bounded', atMost: 5 }), line(undefined, { state: 'bounded', atMost: 8 })],
      { state: 'bounded', atMost: 5 },
    ],
    [
      'of two durations, the shorter one is the tighter upper bound',
      [
        line(undefined, { state: 'bounded', atMost: '1m' }),
        line(undefined, { state: 'bounded', atMost: '90s' }),
      ],
      { state: 'bounded', atMost: '1m' },
    ],
    [
      'a known value on a bound is within it',
      [line(5), line(undefined, { state: 'bounded', atLeast: 5 })],
      { state: 'observed', value: 5 },
    ],
    [
      'a known value outside of bounds is given up',
      [line(4), line(undefined, { state: 'bounded', atLeast: 5 })],
      { state: 'bounded', atLeast: 5 },
    ],
    [
      'a value ends bounds',
      [line(undefined, { state: 'bounded', atMost: 5 }), line(4)],
      { state: 'observed', value: 4 },
    ],
  ])('%s', (_says, lines, expected) => {
    expect(merged(...lines)).toMatchObject(expected)
  })

  test.each([
    ['2026-11-22', '2026-11-24', 'second'],
    ['2026-11-24', '2026-11-22', 'first'],
    ['2026-11-22', '2026-11-22', 'second'],
  ] as const)('of a latency on %s and then one of %s, the %s is kept as it is', (day, otherDay, kept) => {
    const path = 'latency.listPets'
    const lines = {
      first: line({ median: '80ms', p99: '900ms' }, { seen: 412, last: day }),
      second: line({ median: '70ms', p99: '1s' }, { seen: 3, last: otherDay }),
    }
    const { learned } = mergeProfiles(profileOf({ [path]: lines.first }), profileOf({ [path]: lines.second }))
    expect(learned[path]).toEqual(lines[kept])
  })

  test('what was not seen now stays, and what was never seen is unknown', async () => {
    const after = mergeProfiles(await read(), profileOf({}))
    expect(after.learned).toEqual((await read()).learned)
    expect(after.unknown).toContain('limits.headers')
    expect(after.unknown).not.toContain('limits.window')
    expect(after.unknown.filter(path => path.startsWith('latency.'))).toEqual([])
  })

  test('the order of two equal observations does not matter, and one more of the same changes no value', () => {
    const some = fc.record({
      value: fc.constantFrom('first-call', window),
      windows: fc.integer({ min: 1, max: 3 }),
    })
    fc.assert(
      fc.property(fc.array(some, { minLength: 1, maxLength: 6 }), picks => {
        const lines = picks.map(({ value, windows }) => line(value, { windows, seen: windows }))
        const after = merged(...lines)
        const last = lines.at(-1)
        const again = last && merged(...lines, { ...last, windows: 2 })
        expect(again).toMatchObject({ state: 'observed', value: last?.value })
        expect(after?.seen).toBeGreaterThan(0)
      }),
    )
  })
})

describe('serving', () => {
  test.each<[string, Line, unknown]>([
    ['an observed value', line(3), 3],
    ['an inferred value', line(3, { state: 'inferred' }), 3],
    ['the default within bounds', line(undefined, { state: 'bounded', atMost: 20 }), 10],
    ['the nearest bound outside of them', line(undefined, { state: 'bounded', atMost: 5 }), 5],
    ['the nearest bound above', line(undefined, { state: 'bounded', atLeast: 12 }), 12],
    ['the default where no value describes the service', line(undefined, { state: 'other' }), 10],
    [
      'of a contradiction, the last value that was confirmed',
      {
        ...line(undefined),
        state: 'contradicted',
        values: [
          { value: 4, seen: 9, last: '2026-11-22', windows: 3 },
          { value: 7, seen: 1, last: '2026-11-23', windows: 1 },
        ],
      },
      4,
    ],
    [
      'else the default',
      {
        ...line(undefined),
        state: 'contradicted',
        values: [{ value: 7, seen: 1, last: '2026-11-23', windows: 1 }],
      },
      10,
    ],
  ])('%s', (_says, after, served) => {
    const profile = profileOf({ 'bans.after': after })
    expect(settle('s', {}, shippedFixtures, profile).behaviour.bans?.after).toBe(served)
  })

  test('the scenario wins, then the profile, then the default', async () => {
    const profile = await read()
    const given: ScenarioFile = { limits: { window: 'first-call' } }
    const scenario = settle('s', given, shippedFixtures, profile)
    expect(scenario.behaviour.limits).toMatchObject({
      window: 'first-call',
      retryAfter: 'http-date',
      headers: 'tightest',
    })
    expect(
      ['limits.window', 'limits.retryAfter', 'limits.headers'].map(path => sourceOf(scenario, path)),
    ).toEqual(['scenario', { state: 'inferred', last: '2026-11-22' }, 'assumed'])
    expect(settle('s', { bans: 'off' }, shippedFixtures, profile).behaviour.bans).toBeUndefined()
    expect(showFidelity(scenario)).toContainEqual({
      setting: 'bans.status',
      assumption: 'A10',
      value: 403,
      source: 'observed',
      last: '2026-10-30',
    })
    expect(scenarioText(given, shippedFixtures, learnedBelow(given, profile))).toMatch(
      /retryAfter: http-date # inferred on 2026-11-22\n[\s\S]*after: 5 # bounded on 2026-10-30/,
    )
  })

  test('latency is served only if the scenario asks for it', async () => {
    const profile = await read()
    const latencyOf = (file: ScenarioFile) => underScenario(file, profile).latency
    expect(latencyOf({})).toBeUndefined()
    expect(latencyOf({ latency: 'on' })).toEqual({ listPets: { median: '80ms', p99: '900ms' } })
  })

  test('a profile that learned nothing changes nothing', () => {
    const { behaviour } = settle('s', {}, shippedFixtures, profileOf({}))
    expect(behaviour).toEqual(settle('s', {}, shippedFixtures).behaviour)
  })

  test('what the service does not use, and what has no default, is not served', () => {
    const profile = profileOf({ 'deprecation.since': line('none') })
    expect(settle('s', {}, shippedFixtures, profile).behaviour.deprecation.since).toBeUndefined()
  })

  test.each(assumedSettings)(
    'each value of $path can be served, and a file accepts it',
    async ({ path, samples }) => {
      for (const value of samples) {
        const copy = await read(await profileText(profileOf({ [path]: line(value) })))
        expect(readSetting(underScenario({}, copy), path)).toEqual(value)
        const { behaviour } = settle('s', {}, shippedFixtures, copy)
        expect(behaviour).not.toEqual(settle('s', {}, shippedFixtures).behaviour)
      }
    },
  )
})

describe('where the settings behind an error come from', () => {
  test.each<[code: string | undefined, sources: readonly string[]]>([
    ['pet_not_found', ['Of the settings behind it, errors.pet_not_found was observed on 2026-11-22.']],
    [
      'rate_limit_exceeded',
      [
        'Of the settings behind it, limits.window is from the scenario, limits.headers is assumed (A06), limits.retryAfter was inferred on 2026-11-22, errors.rate_limit_exceeded is assumed (A09).',
      ],
    ],
    ['out_for_lunch', []],
    [undefined, []],
  ])('of the code %s', async (code, sources) => {
    const given: ScenarioFile = { limits: { window: 'first-call' } }
    const scenario = settle('s', given, shippedFixtures, await read())
    expect(sourcesBehind(scenario, code)).toEqual(sources)
  })

  test('without a profile, nothing is said', () => {
    expect(sourcesBehind(settle('s', {}, shippedFixtures), 'rate_limit_exceeded')).toEqual([])
  })
})
