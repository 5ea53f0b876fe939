import { expect, test } from 'vitest'
import { maxDepth } from '../../../src/base/json/read.ts'
import type { JsonObject, JsonValue } from '../../../src/base/json/value.ts'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { settle } from '../../../src/control/scenario/settle/settle.ts'
import { extendShipped } from '../../../src/control/scenario/shipped.ts'
import { readTexts } from './read-texts.ts'

function settled(file: ScenarioFile) {
  return settle('test', file, shippedFixtures)
}

const second = 1000

test('absent fields mean: shipped plans and keys, 100 pets, real time, seed 1, and the settings of the assumptions', () => {
  const scenario = settled({})
  expect(scenario).toMatchObject({
    name: 'test',
    title: 'test',
    description: undefined,
    key: 'demo-free',
    seed: 1,
  })
  expect(scenario.clock).toEqual({ at: undefined, scale: 1 })
  expect(scenario.plans.get('pro')).toEqual({ minute: 300, day: 10_000 })
  expect([...scenario.keys.keys()]).toEqual(['demo-free', 'demo-pro', 'demo-business', 'demo-enterprise'])
  expect(scenario.keys.get('demo-free')).toEqual({
    plan: 'free',
    quota: { minute: 60, day: 1000 },
    used: { minute: 0, day: 0 },
    strikes: 0,
    bannedForMs: undefined,
    revoked: false,
    expiresAt: undefined,
  })
  expect(scenario.behaviour).toEqual({
    limits: {
      window: 'first-call',
      headers: 'tightest',
      countRefused: false,
      countInvalid: true,
      names: undefined,
      reset: 'epoch',
      dialect: 'x-ratelimit',
      retryAfter: 'seconds',
      anonymous: 'report',
    },
    bans: { after: 10, forMs: 300 * second, graceMs: 0, escalate: undefined, extend: false, status: 429 },
    pageSize: 'reject',
    pageOrder: 'ascending',
    pagination: 'link',
    order: undefined,
    errors: undefined,
    responses: undefined,
    latency: 'off',
    defaultStatus: undefined,
    deprecation: { since: undefined, removedAt: Date.UTC(2030, 11, 5), after: 404, brownouts: [] },
  })
})

test.each<[string, ScenarioFile, object]>([
  [
    'a frozen clock',
    { clock: { at: '2026-03-02T09:00:00Z', frozen: true } },
    { clock: { at: Date.UTC(2026, 2, 2, 9), scale: 0 } },
  ],
  ['a fast clock', { clock: { scale: 30 } }, { clock: { at: undefined, scale: 30 } }],
  [
    'a clock behind real time',
    { clock: { offset: '-3m' } },
    { clock: { at: undefined, offsetMs: -180 * second } },
  ],
  ['frozen: false beside scale', { clock: { frozen: false, scale: 2 } }, { clock: { scale: 2 } }],
  ['no bans', { bans: 'off' }, { behaviour: { bans: undefined } }],
  [
    'longer bans each time',
    { bans: { escalate: { max: '1h' } } },
    { behaviour: { bans: { escalate: { factor: 2, maxMs: 3600 * second } } } },
  ],
  [
    'a null is as good as absent',
    { seed: null, clock: null, bans: null, limits: { window: null } },
    { seed: 1, behaviour: { bans: { after: 10 }, limits: { window: 'first-call' } } },
  ],
  [
    'a brownout',
    { deprecation: { brownouts: [{ from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:00:01Z' }] } },
    { behaviour: { deprecation: { brownouts: [{ from: Date.UTC(2026), to: Date.UTC(2026) + second }] } } },
  ],
  ['the first key, where demo-free is removed', { keys: { 'demo-free': null } }, { key: 'demo-pro' }],
])('%s', (_name, file, expected) => {
  expect(settled(file)).toMatchObject(expected)
})

test.each<[string, NonNullable<ScenarioFile['keys']>[string], object]>([
  ['used this minute is used this day', { used: { minute: 57 } }, { used: { minute: 57, day: 57 } }],
  ['used this day alone', { used: { day: 998 } }, { used: { minute: 0, day: 998 } }],
  ['a plan of another name', { plan: 'pro' }, { plan: 'pro', quota: { minute: 300, day: 10_000 } }],
  ['a quota of its own', { limits: { minute: 5 } }, { quota: { minute: 5, day: 1000 } }],
  [
    'a quota of its own, of which one part is undefined',
    { limits: { minute: 5, day: undefined } },
    { quota: { minute: 5, day: 1000 } },
  ],
  ['banned', { banned: '90s' }, { bannedForMs: 90 * second }],
  ['one strike from a ban', { strikes: 9 }, { strikes: 9 }],
  ['expires', { expires: '2026-03-02T09:00:00Z' }, { expiresAt: Date.UTC(2026, 2, 2, 9) }],
  ['revoked', { revoked: true }, { revoked: true }],
])('a key: %s', (_name, fields, expected) => {
  expect(settled({ keys: { 'demo-free': fields } }).keys.get('demo-free')).toMatchObject(expected)
})

test('a key of a plan of the scenario', () => {
  const { keys, plans } = settled({
    plans: { gold: { minute: 7, day: 70 } },
    keys: { mine: { plan: 'gold' } },
  })
  expect(plans.get('gold')).toEqual({ minute: 7, day: 70 })
  expect(keys.get('mine')).toMatchObject({ plan: 'gold', quota: { minute: 7, day: 70 } })
  expect(keys.size).toBe(5)
})

test("the fixtures' pets come first, then generated ones up to the count, then the added ones; removed pets leave their ids unused", () => {
  const { pets } = settled({
    pets: {
      count: 30,
      gone: [2, 31],
      add: [
        { name: 'A', categoryId: 1 },
        { name: 'B', categoryId: 2n ** 60n },
      ],
    },
  })
  expect(pets.size).toBe(30)
  expect(pets.get(1)).toEqual({ id: 1, name: 'Biscuit', categoryId: 1, status: 'available' })
  expect(pets.get(2)).toBeUndefined()
  expect(pets.get(31)).toBeUndefined()
  expect(pets.get(32)).toEqual({ id: 32, name: 'B', categoryId: 2n ** 60n, status: undefined })
})

test('a count below that of the fixtures takes the first of them', () => {
  expect([...settled({ pets: { count: 2 } }).pets].map(pet => pet.name)).toEqual(['Biscuit', 'Mrs. Whiskers'])
})

test('ids beyond 2^53', () => {
  const { pets } = settled({ pets: { count: 3, firstId: 2 ** 53 - 1, gone: [2n ** 53n] } })
  expect([...pets].map(pet => pet.id)).toEqual([2 ** 53 - 1, 2n ** 53n + 1n])
})

test('a default status is for every pet without one', () => {
  const scenario = settled({ pets: { defaultStatus: 'pending' } })
  expect(scenario.pets.get(21)).toMatchObject({ name: 'Ziggy', status: 'pending' })
  expect(scenario.behaviour.defaultStatus).toBe('pending')
})

test('the same seed gives the same pets, and a larger count adds some and changes none', () => {
  const some = [...settled({ seed: 7 }).pets]
  const more = [...settled({ seed: 7, pets: { count: 500 } }).pets]
  expect(more.slice(0, 100)).toEqual(some)
  expect([...settled({ seed: 8 }).pets]).not.toEqual(some)
})

test.each<[string, ScenarioFile, string]>([
  [
    'two things wrong',
    { key: 'nobody', clock: { frozen: true, scale: 2 } },
    'The scenario test is invalid: clock.scale: a frozen clock does not run: remove scale or frozen; key: unknown key "nobody"; known are demo-free, demo-pro, demo-business, demo-enterprise',
  ],
  [
    'a duration without a unit',
    { bans: { for: '90' as '90s' } },
    'The scenario test is invalid: bans.for: expected a duration of at least 1s, such as 90s or 15m, found "90"',
  ],
  [
    'no such day',
    { clock: { at: '2026-02-30T00:00:00Z' } },
    'The scenario test is invalid: clock.at: expected an instant from 1970 to 9899, such as 2026-03-02T09:00:00Z, found "2026-02-30T00:00:00Z"',
  ],
  [
    'a quota of nothing',
    { plans: { free: { minute: 0 } } },
    'The scenario test is invalid: plans.free.minute: expected a whole number of calls (1 or more), found 0',
  ],
  [
    'an id that a number cannot hold',
    { pets: { firstId: 2 ** 60 } },
    'The scenario test is invalid: pets.firstId: expected an id (a whole number of at most 64 bits, 1 or more), found 1152921504606847000 (a number beyond 2^53 is not exact; an id may be a bigint)',
  ],
  [
    'nothing in a body, where JSON has a value',
    { rules: [{ then: { body: [1, undefined] as unknown as JsonValue } }] },
    'The scenario test is invalid: rules[0].then.body[1]: expected a JSON value, found nothing',
  ],
  [
    'every key removed',
    { keys: { 'demo-free': null, 'demo-pro': null, 'demo-business': null, 'demo-enterprise': null } },
    'The scenario test is invalid: keys: expected at least one key',
  ],
])('an object that cannot be: %s', (_name, file, message) => {
  expect(() => settled(file)).toThrow(new Error(message))
})

test.each<ScenarioFile>([
  { seed: -1 },
  { seed: 1.5 },
  { clock: { scale: 1e-12 } },
  { clock: { scale: 1e-300 } },
  { clock: { scale: 86_401 } },
  { clock: { at: '9999-12-31T23:59:59Z' } },
  { clock: { at: 'tomorrow' } },
  { plans: { 'x y': { minute: 1, day: 1 } } },
  { plans: { free: { day: 0 } } },
  { keys: { 'a b': { plan: 'free' } } },
  { keys: { '': { plan: 'free' } } },
  { keys: { 'demo-free': { strikes: -1 } } },
  { keys: { 'demo-free': { used: { minute: 0.5 } } } },
  { keys: { 'demo-free': { limits: { minute: 0 } } } },
  { keys: { 'demo-free': { banned: '0s' } } },
  { keys: { 'demo-free': { expires: 'soon' } } },
  { pets: { count: -1 } },
  { pets: { count: 1_000_001 } },
  { pets: { firstId: -5 } },
  { pets: { gone: [0] } },
  { pets: { add: [{ name: 'Rex', categoryId: 0.5 }] } },
  { bans: { after: 0 } },
  { bans: { for: '0s' } },
  { bans: { for: '500ms' } },
  { bans: { grace: '-1s' } },
  { bans: { escalate: { factor: 0 } } },
  { bans: { escalate: { max: '1ms' } } },
  { deprecation: { since: 'x' } },
  { deprecation: { removedAt: '2026-02-30' } },
  { deprecation: { brownouts: [{ from: '', to: '2026-01-01T00:00:00Z' }] } },
  { deprecation: { brownouts: [{ from: '2026-01-01T00:00:00Z', to: '' }] } },
  { keys: { 'demo-free': { used: { minute: 57, day: 12 } } } },
  { bans: 'off', keys: { 'demo-free': { banned: '90s' } } },
  { keys: { 'demo-free': { strikes: 50 } } },
])('of an object %j the same is said as of a file', async file => {
  const reading = await readTexts({ f: JSON.stringify(file) })
  const complaints = reading.ok ? [] : reading.complaints.map(({ message }) => message)
  expect(complaints).toHaveLength(1)
  expect(() => settled(file)).toThrow(new Error(`The scenario test is invalid: ${complaints[0]}`))
})

test.each([Number.NaN, Number.POSITIVE_INFINITY])('%d is no number that a file could say', value => {
  expect(() => settled({ bans: { escalate: { factor: value } } })).toThrow('expected a number of at least 1')
  expect(() => settled({ clock: { scale: value } })).toThrow('expected a number from 0.001 to 86400')
})

test.each<ScenarioFile>([
  { clock: { scale: 0.001 } },
  { clock: { scale: 86_400, at: '9899-12-31T23:59:59Z' } },
  { clock: { at: '1970-01-01T00:00:00Z', frozen: true } },
  { bans: { for: '1s', escalate: { factor: 1, max: '1s' } } },
  { bans: { after: 3 }, keys: { 'demo-free': { strikes: 2 } } },
  { bans: { after: 3 }, keys: { 'demo-free': { strikes: 3, banned: '90s' } } },
  { bans: 'off', keys: { 'demo-free': { strikes: 50 } } },
  { keys: { 'demo-free': { used: { minute: 57, day: 57 } } } },
  { clock: { scale: 0.01 }, keys: { 'demo-free': { banned: '365d' } } },
])('an object at the edge of what can be: %j', file => {
  expect(() => settled(file)).not.toThrow()
})

const ownHeaders = [
  'Allow',
  'Cache-Control',
  'Content-Security-Policy',
  'Content-Type',
  'Deprecation',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Service-Worker-Allowed',
  'Sunset',
  'WWW-Authenticate',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
]

test.each([
  ...ownHeaders.map(name => [name.toLowerCase(), name]),
  ['LINK', 'Link'],
  ['x-mine', 'x-mine'],
  ['X-MINE', 'X-MINE'],
])(
  'a header of a rule replaces the one that pet-mock sets, so it has its spelling: %s is %s',
  (given, name) => {
    const [rule] = settled({ rules: [{ then: { status: 200, headers: { [given]: 'mine' } } }] }).rules
    expect(rule?.effect.answer?.headers).toEqual({ [name]: 'mine' })
  },
)

test('what stands in a body may be nested as deep as a reader of JSON allows', () => {
  const nested = (depth: number): JsonObject => (depth === 1 ? {} : { a: nested(depth - 1) })
  const ofBody = (depth: number): ScenarioFile => ({ rules: [{ then: { body: nested(depth) } }] })
  expect(() => settled(ofBody(maxDepth))).not.toThrow()
  expect(() => settled(ofBody(maxDepth + 1))).toThrow(`: nested more than ${maxDepth} deep`)
})

test('an object may extend a shipped scenario', () => {
  expect(extendShipped({ extends: 'rate-limit-exhaustion', seed: 7 })).toMatchObject({
    seed: 7,
    keys: { 'demo-free': { used: { minute: 57 } } },
  })
  expect(() => extendShipped({ extends: 'nothing' })).toThrow(
    'extends: no shipped scenario is named "nothing"; there are after-removal, ban',
  )
})

test.each<[fixtures: number, count: number | undefined, pets: number, last: string]>([
  [150, undefined, 150, 'own 150'],
  [150, 20, 20, 'own 20'],
  [100, undefined, 100, 'own 100'],
])('of %i pets of the fixtures and a count of %s, %i are there, up to %s', (own, count, total, last) => {
  const pets = Array.from({ length: own }, (_, n) => ({
    name: `own ${n + 1}`,
    categoryId: 1,
    status: undefined,
  }))
  const { pets: store } = settle('test', { pets: { count, gone: [total] } }, { ...shippedFixtures, pets })
  expect([store.get(total), store.get(total - 1)?.name]).toEqual([
    undefined,
    last.replace(`${total}`, `${total - 1}`),
  ])
  const { pets: whole } = settle('test', { pets: { count } }, { ...shippedFixtures, pets })
  expect([whole.get(total)?.name, whole.get(total + 1)]).toEqual([last, undefined])
})
