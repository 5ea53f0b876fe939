import { expect, test } from 'vitest'
import { readClock } from '../../../src/base/time/clock.ts'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import type { Command, ScenarioFile } from '../../../src/control/scenario/file.ts'
import { settle } from '../../../src/control/scenario/settle/settle.ts'
import { extendShipped, shippedScenarios } from '../../../src/control/scenario/shipped.ts'
import { writeSituation } from '../../../src/control/scenario/show.ts'
import { situationOf } from '../../../src/control/situation/situation.ts'
import { createEmulator, type Emulator } from '../../../src/emulator/emulator.ts'
import { createWorld, type World } from '../../../src/emulator/worlds/world.ts'
import { readStrikes } from '../../../src/service/bans/ban.ts'
import { readWindows } from '../../../src/service/limits/limiter.ts'
import { changing } from '../../support/changes.ts'
import { noon } from '../../support/scenarios.ts'
import { readTexts } from '../scenario/read-texts.ts'

/** The situation of a world, through the text of a file. */
async function reread(world: World, now: number, fixtures = shippedFixtures) {
  const file = situationOf(world, now, fixtures)
  if (file === undefined) throw new Error('The situation has too many pets')
  const text = writeSituation(file, 'A situation')
  const reading = await readTexts({ 'f.yaml': text }, fixtures)
  if (!reading.ok) throw new Error(`${text}\n${reading.complaints.map(({ message }) => message).join('\n')}`)
  return { text, scenario: settle('f', reading.value, fixtures) }
}

/** What a client can notice of a world. */
function stateOf({ keys, pets, clock, rules, scenario }: World, now: number) {
  const at = readClock(clock, now)
  return {
    at,
    scale: clock.scale,
    pets: [...pets],
    nextId: pets.nextId,
    keys: Array.from(keys.values(), key => {
      const { minute, day } = readWindows(key.windows, key.quota, at)
      const { count, bannedUntil } = readStrikes(key.strikes, at, scenario.behaviour.bans)
      const strikes = bannedUntil === undefined ? count : 0
      const { text, plan, quota, revoked, expiresAt } = key
      return { text, plan, quota, revoked, expiresAt, used: [minute.used, day.used], strikes, bannedUntil }
    }).sort((one, other) => (one.text < other.text ? -1 : 1)),
    rules: rules.list().map(({ rule }) => rule),
    behaviour: scenario.behaviour,
    seed: scenario.seed,
  }
}

const whole: ScenarioFile = {
  bans: { after: 3, escalate: { factor: 3, max: '2h' }, grace: '2s' },
  limits: { dialect: 'both', window: 'calendar' },
  deprecation: { since: '2026-01-01T00:00:00Z', after: 410 },
  pageSize: 'clamp',
  pets: { firstId: 2n ** 60n, gone: [2n ** 60n], count: 3, defaultStatus: 'sold' },
  plans: { gold: { minute: 1, day: 2 }, enterprise: null },
  keys: {
    'demo-enterprise': null,
    mine: { plan: 'gold', limits: { minute: 9 }, sharedUse: { perMinute: 3 } },
  },
  events: [{ after: '5 calls', key: 'mine', change: { do: 'changeKey', key: 'mine', revoked: true } }],
}

test.each<[string, ScenarioFile]>([
  ...shippedScenarios,
  ['all kinds of settings', whole],
  ['a fast clock', { clock: { scale: 30 } }],
])('the situation at the start of %s is that scenario', async (name, file) => {
  const scenario = settle(name, { title: 'x', ...file }, shippedFixtures)
  const world = createWorld('default', scenario, noon)
  const { scenario: found } = await reread(world, noon)
  expect(stateOf(createWorld('default', found, noon), noon)).toEqual(stateOf(world, noon))
  expect(found.events).toEqual(scenario.events)
  expect(new Map([...found.plans].sort())).toEqual(new Map([...scenario.plans].sort()))
})

test('what is as usual is not written', () => {
  const world = createWorld('default', settle('usual', { title: 'Usual' }, shippedFixtures), noon)
  expect(situationOf(world, noon, shippedFixtures)).toEqual({
    title: 'Usual',
    key: 'demo-free',
    pets: { count: 100, firstId: 1 },
  })
})

const changes: readonly Command[] = [
  { do: 'addKey', key: 'new', plan: 'pro', expires: '2027-01-01T00:00:00Z' },
  { do: 'changeKey', key: 'demo-pro', plan: 'business', used: { minute: 3, day: 70 } },
  { do: 'deleteKey', key: 'demo-enterprise' },
  { do: 'banKey', key: 'demo-business', for: '90s' },
  { do: 'addPet', name: 'Rex: "the dog" #1', categoryId: 2n ** 60n, status: 'pending' },
  { do: 'addPet', name: '<img src=x onerror=alert(1)>', categoryId: 1 },
  { do: 'deletePet', id: 101 },
  { do: 'deletePet', id: 7 },
  { do: 'changePet', id: 90, name: 'Ada' },
  { do: 'addRule', rule: { name: 'late', when: { after: '60s' }, then: { delay: '1s' }, ttl: '10m' } },
  { do: 'addRule', rule: { name: 'twice', times: 2, then: { status: 503 } } },
  { do: 'addRule', rule: { name: 'over', ttl: '1s', then: { status: 500 } } },
  { do: 'advanceClock', by: '20s' },
]

function call({ handle }: Emulator, times: number, key = 'demo-free'): number {
  const statuses = Array.from({ length: times }, () => {
    const headers = ['host', 'localhost', 'authorization', `Bearer ${key}`]
    const target = '/v1/pets?limit=1'
    const sent = { method: 'GET', target, headers, body: undefined, scheme: 'http', client: '::1' } as const
    return handle({ ...sent, receivedAt: noon }).status
  })
  return statuses.at(-1) ?? 0
}

test('a world that was used and changed goes on where it is', async () => {
  const scenario = settle('base', extendShipped({ clock: { frozen: true } }), shippedFixtures)
  const emulator = createEmulator({ scenario, startedAt: noon })
  call(emulator, 65)
  const change = changing(emulator)
  for (const command of changes)
    expect([command, change(command, undefined, noon).ok]).toEqual([command, true])
  const world = emulator.sandboxes.default
  const { text, scenario: found } = await reread(world, noon)
  const again = createWorld('default', found, noon)
  const [now, then] = [stateOf(again, noon), stateOf(world, noon)]
  expect({ ...now, rules: [] }).toEqual({ ...then, rules: [] })
  expect(now.keys.find(({ text }) => text === 'demo-free')).toMatchObject({ used: [60, 60], strikes: 5 })
  expect(now.rules.map(({ name, times, when, ttlMs }) => [name, times, when.afterMs, ttlMs])).toEqual([
    ['twice', 2, undefined, undefined],
    ['late', undefined, 40_000, 580_000],
  ])
  expect(text).toContain('# A situation')
  expect(call(createEmulator({ scenario: found, startedAt: noon }), 1, 'demo-pro')).toBe(503)
})

test('a store with too many changed pets has no situation', () => {
  const scenario = settle('many', { pets: { count: 20_000 } }, shippedFixtures)
  const emulator = createEmulator({ scenario, startedAt: noon })
  expect(situationOf(emulator.sandboxes.default, noon, shippedFixtures)?.pets).toEqual({
    count: 20_000,
    firstId: 1,
  })
  changing(emulator)({ do: 'changePet', id: 1, name: 'Ada' }, undefined, noon)
  expect(situationOf(emulator.sandboxes.default, noon, shippedFixtures)).toBeUndefined()
})

test('a store with ids of its own is written with what was added and deleted, and none that changed such a pet', async () => {
  const pet = { name: 'a', categoryId: 1, status: undefined }
  const pets = [
    { ...pet, id: 2n ** 60n, extra: '{"a":1}' },
    pet,
    { ...pet, id: 7 },
    { ...pet, id: 2n ** 63n - 1n },
  ]
  const fixtures = { ...shippedFixtures, pets }
  const emulator = createEmulator({
    scenario: settle('own', { pets: { count: 6 } }, fixtures),
    startedAt: noon,
  })
  const change = changing(emulator)
  change({ do: 'addPet', name: 'New', categoryId: 1 }, undefined, noon)
  change({ do: 'addPet', name: 'Gone', categoryId: 1 }, undefined, noon)
  change({ do: 'deletePet', id: 2n ** 60n + 2n }, undefined, noon)
  change({ do: 'deletePet', id: 7 }, undefined, noon)
  const world = emulator.sandboxes.default
  const { scenario } = await reread(world, noon, fixtures)
  expect(scenario.pets.equals(world.pets)).toBe(true)
  change({ do: 'changePet', id: 2n ** 60n, name: 'Ada' }, undefined, noon)
  expect(situationOf(world, noon, fixtures)).toBeUndefined()
})

test('a rule whose keys are gone is not written', async () => {
  const then = { status: 503 } as const
  const rules = [
    { name: 'of a key', match: { key: 'demo-pro' }, then },
    { name: 'of some keys', match: { key: 'demo-p*' }, then },
    { name: 'of a plan', match: { plan: 'tiny' }, then },
    { name: 'of all', then },
  ]
  const plans = { tiny: { minute: 1, day: 2 } }
  const scenario = settle('base', { plans, rules }, shippedFixtures)
  const emulator = createEmulator({ scenario, startedAt: noon })
  const namesLeft = async () =>
    (await reread(emulator.sandboxes.default, noon)).scenario.rules.map(({ name }) => name)
  expect(await namesLeft()).toEqual(rules.map(({ name }) => name))
  changing(emulator)({ do: 'deleteKey', key: 'demo-pro' }, undefined, noon)
  expect(await namesLeft()).toEqual(['of a plan', 'of all'])
})

test('a plan that only keys still have is written', async () => {
  const file = (plans: ScenarioFile['plans']) => settle('base', { plans }, shippedFixtures)
  const emulator = createEmulator({ scenario: file({ tiny: { minute: 1, day: 2 } }), startedAt: noon })
  const change = changing(emulator)
  change({ do: 'addKey', key: 'mine', plan: 'tiny' }, undefined, noon)
  change({ do: 'addKey', key: 'other', plan: 'tiny', limits: { minute: 5 } }, undefined, noon)
  emulator.sandboxes.adopt(file({}), noon)
  const world = emulator.sandboxes.default
  const { scenario } = await reread(world, noon)
  expect(stateOf(createWorld('default', scenario, noon), noon)).toEqual(stateOf(world, noon))
})
