import { expect, test } from 'vitest'
import { readJson } from '../../../src/base/json/read.ts'
import { shippedFixtures } from '../../../src/control/fixtures/fixtures.ts'
import { showFidelity } from '../../../src/control/profile/serve.ts'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { readSnapshotFile } from '../../../src/control/scenario/read/read-snapshot.ts'
import { settle } from '../../../src/control/scenario/settle/settle.ts'
import { originOf } from '../../../src/control/situation/behaviour-fields.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import type { Profile } from '../../../src/emulator/worlds/scenario.ts'
import { changing } from '../../support/changes.ts'
import { describeDoors } from '../../support/doors.ts'
import { readLimits } from '../../support/expectations.ts'
import { readCommand } from '../../support/read-command.ts'
import { noon, scenarioOf } from '../../support/scenarios.ts'
import { takeSandboxesSnapshot, takeSnapshot } from '../../support/snapshots.ts'

describeDoors('snapshots', open => {
  test('of one sandbox, put back in another, is there and nowhere else; its journal is empty', async () => {
    const { emulator, send } = await open()
    const change = changing(emulator)
    await send({ method: 'POST', body: { name: 'Rex', categoryId: 1 } })
    change({ do: 'loadSnapshot', snapshot: takeSnapshot(emulator.sandboxes.default) }, 'copy')
    expect(emulator.sandboxes.get('copy')?.journal.size).toBe(0)
    expect(readLimits(await send({ key: 'demo-free+copy' })).remaining).toBe(58)
    expect((await send({ key: 'demo-free+copy', target: '/v1/pets/101' })).status).toBe(200)
    expect((await send({ key: 'demo-free+other', target: '/v1/pets/101' })).status).toBe(404)
  })

  test('of all sandboxes, put back, leave no other sandbox, and new ones start from what they started from', async () => {
    const { emulator, send } = await open()
    const change = changing(emulator)
    const statusOf = async (key: string) => (await send({ key, target: '/v1/pets/13' })).status
    await send({ key: 'demo-free+a' })
    change({ do: 'useScenario', scenario: 'not-found' })
    const snapshot = takeSandboxesSnapshot(emulator.sandboxes)
    change({ do: 'useScenario', scenario: 'free-plan' })
    await send({ key: 'demo-free+b' })
    expect(change({ do: 'loadSnapshot', snapshot }, '*')).toEqual({
      ok: true,
      changed: { sandboxes: ['default', 'a'] },
    })
    expect(emulator.sandboxes.names()).toEqual(['default', 'a'])
    expect([
      await statusOf('demo-free'),
      await statusOf('demo-free+a'),
      await statusOf('demo-free+new'),
    ]).toEqual([404, 200, 404])
  })
})

test('of all sandboxes, put back, leaves the profile for later scenarios', () => {
  const learned = { value: 'calendar', state: 'observed', seen: 1, last: '2026-11-22', windows: 1 } as const
  const profileOf = (learned: Profile['learned']): Profile => ({
    profile: 1,
    service: 'https://staging.example/v1',
    learned,
    unknown: [],
  })
  const start = (learned: Profile['learned']) => settle('start', {}, shippedFixtures, profileOf(learned))
  const emulator = createEmulator({ scenario: start({ 'limits.window': learned }), startedAt: noon })
  const { sandboxes } = emulator
  const change = changing(emulator)
  const windowOf = (scenario: string) => {
    expect(change({ do: 'useScenario', scenario }, undefined, noon)).toMatchObject({ ok: true })
    return sandboxes.scenario.behaviour.limits.window
  }
  expect(windowOf('not-found')).toBe('calendar')
  const snapshot = takeSandboxesSnapshot(sandboxes)
  expect(windowOf('free-plan')).toBe('calendar')
  expect(change({ do: 'loadSnapshot', snapshot }, '*', noon)).toMatchObject({ ok: true })
  expect(windowOf('ban')).toBe('calendar')
  sandboxes.adopt(start({}), noon)
  expect(windowOf('free-plan')).toBe('first-call')
})

test('a scenario that was put back says which of its settings it gives', () => {
  const emulator = createEmulator({ scenario: scenarioOf({}), startedAt: noon })
  const change = changing(emulator)
  const scenario: ScenarioFile = {
    limits: { window: 'calendar' },
    bans: { after: 3, for: '1s' },
    pageSize: 'clamp',
    errors: { pet_not_found: { code: 'gone' } },
    pets: { defaultStatus: 'sold' },
    deprecation: { after: 410 },
  }
  const fidelity = () => showFidelity({ origin: originOf(emulator.sandboxes.default.scenario) })
  for (const given of [scenario, { bans: 'off' } as const]) {
    change({ do: 'useScenario', scenario: given, name: 'mine' }, undefined, noon)
    const before = fidelity()
    const snapshot = takeSandboxesSnapshot(emulator.sandboxes)
    change({ do: 'useScenario', scenario: 'free-plan' }, undefined, noon)
    expect(fidelity()).not.toEqual(before)
    expect(change({ do: 'loadSnapshot', snapshot }, '*', noon)).toMatchObject({ ok: true })
    expect(fidelity()).toEqual(before)
  }
})

type Taken = ReturnType<typeof takeSnapshot>
type AllTaken = ReturnType<typeof takeSandboxesSnapshot>

const unknownField =
  'unknown field; known are version, scenario, clock, keys, anonymous, rules, firstExchange, nextExchange, pets, events, deletedKeys, records, checksum'
const newer =
  'expected 1, the newest version that this pet-mock reads. A newer pet-mock wrote this snapshot: update pet-mock, found 2'

test.each<[string, (snapshot: Taken, all: AllTaken) => object, ...string[]]>([
  [
    'ids of requests that no number holds',
    (_one, all) => ({
      ...all,
      dropped: [{ name: 'a b', nextExchange: 0 }],
      sandboxes: all.sandboxes.map(one => ({ ...one, nextExchange: 2 ** 53 - 1 })),
    }),
    'snapshot.dropped[0].name: expected the name of a sandbox: 1 to 64 letters, digits and . _ -, found "a b"',
    'snapshot.dropped[0].nextExchange: expected a whole number from 1 to 2^52, found 0',
    'snapshot.sandboxes[0].nextExchange: expected a whole number from 1 to 2^52, found 9007199254740991',
  ],
  ['a newer version', () => ({ version: 2, whatever: 1 }), `snapshot.version: ${newer}`],
  ['a newer version of all', all => ({ ...all, version: 2 }), `snapshot.version: ${newer}`],
  ['a version that never was', one => ({ ...one, version: 0 }), 'snapshot.version: expected 1, found 0'],
  ['a field too many', one => ({ ...one, x: 1 }), `snapshot.x: ${unknownField}`],
  [
    'no clock, and a pet without a name, and an id that is none',
    ({ clock: _clock, pets, ...rest }) => ({
      ...rest,
      pets: { ...pets, list: [{ id: '1x', categoryId: 1 }] },
    }),
    'snapshot: clock is missing: expected a map of fields',
    'snapshot.pets.list[0].id: expected a whole number of at most 64 bits, found "1x"',
    'snapshot.pets.list[0]: name is missing: expected text',
  ],
  [
    'an instant that no date has',
    one => ({ ...one, clock: { ...one.clock, at: 1e15 } }),
    'snapshot.clock.at: expected milliseconds since the epoch, in the years 0 to 9999, found 1000000000000000',
  ],
  [
    'a clock that hardly runs',
    one => ({ ...one, clock: { ...one.clock, scale: 1e-12 } }),
    'snapshot.clock.scale: expected a number from 0.001 to 86400 (to stop the clock, use frozen), found 1e-12',
  ],
  [
    'a rule that acts in a time that is no list',
    one => ({
      ...one,
      scenario: { ...one.scenario, rules: [{ name: 'a', match: {}, when: { between: 5 }, effect: {} }] },
    }),
    'snapshot.scenario.rules[0].when.between: expected a list of two numbers, found 5',
  ],
  ...['{"do":"advanceClock"}', '{"do":"reset"}', '5', '{', ''].map(
    (change): [string, (one: Taken) => object, string] => [
      `an event with the command ${change}`,
      one => ({ ...one, scenario: { ...one.scenario, events: [{ after: { calls: 1 }, change }] } }),
      `snapshot.scenario.events[0].change: expected a text of JSON with a command, found ${JSON.stringify(change)}`,
    ],
  ),
  [
    'of all, a sandbox that no key can name, and a setting that is none',
    (_, all) => ({
      ...all,
      scenarios: all.scenarios.map(one => ({ ...one, behaviour: { ...one.behaviour, pagination: 'pages' } })),
      sandboxes: all.sandboxes.map(one => ({ ...one, name: 'a b' })),
    }),
    'snapshot.scenarios[0].behaviour.pagination: expected one of link, relative, none, found "pages"',
    'snapshot.sandboxes[0].name: expected the name of a sandbox: 1 to 64 letters, digits and . _ -, found "a b"',
  ],
])('a snapshot from outside that cannot be: %s', async (_name, broken, ...problems) => {
  const { sandboxes } = createEmulator({ scenario: scenarioOf({}), startedAt: 0 })
  const text = JSON.stringify(broken(takeSnapshot(sandboxes.default), takeSandboxesSnapshot(sandboxes)))
  const json = readJson(text)
  if (!('value' in json)) throw new Error('must be JSON')
  expect(await readCommand({ do: 'loadSnapshot', snapshot: json.value })).toEqual({ ok: false, problems })
})

test('a command without its snapshot is refused', async () => {
  expect(await readCommand({ do: 'loadSnapshot' })).toEqual({
    ok: false,
    problems: ['snapshot is missing: expected an unchanged snapshot'],
  })
})

test('a file with the snapshot of one sandbox keeps its checksum, by which a reader knows damage', () => {
  const { sandboxes } = createEmulator({ scenario: scenarioOf({}), startedAt: 0 })
  const text = JSON.stringify({ ...takeSnapshot(sandboxes.default), checksum: 'a'.repeat(64) })
  expect(readSnapshotFile('s.json', text)).toMatchObject({ ok: true, value: { checksum: 'a'.repeat(64) } })
})

test('a scenario with a walkthrough of its own is saved without it, and restored', async () => {
  const walkthrough = [{ call: 'GET /v1/pets' as const }]
  const { sandboxes } = createEmulator({ scenario: scenarioOf({ walkthrough }), startedAt: 0 })
  expect(sandboxes.default.scenario.walkthrough).toEqual(walkthrough)
  const json = readJson(JSON.stringify(takeSnapshot(sandboxes.default)))
  if (!('value' in json)) throw new Error('must be JSON')
  expect(await readCommand({ do: 'loadSnapshot', snapshot: json.value })).toMatchObject({ ok: true })
})

const pet = (id: number) => ({ id, name: '', categoryId: 1 })

test.each<[string, (snapshot: Taken) => object, ...string[]]>([
  [
    'more ids than fit',
    one => ({ ...one, pets: { ...one.pets, nextId: '9223372036854775807' } }),
    'pets.nextId: 9223372036854775807 leaves too few ids (int64) for new pets',
  ],
  [
    'an id that is not given yet',
    one => ({ ...one, pets: { ...one.pets, list: [pet(101)] } }),
    'pets.list[0].id: 101 is not below the next id, 101',
  ],
  ...['{}', '{ "a": 1}', '[1]', '{"id":2}', '{"a":1'].map(
    (extra): [string, (one: Taken) => object, string] => [
      `the extra members ${extra}`,
      one => ({ ...one, pets: { ...one.pets, list: [{ ...pet(3), extra }] } }),
      `pets.list[0].extra: expected an object as JSON text, without white space and without fields of a pet, found ${JSON.stringify(extra)}`,
    ],
  ),
  [
    'a pet of the scenario that a new pet could replace',
    one => {
      const pets = { ...one.scenario.pets, list: [...one.scenario.pets.list, pet(2e12)] }
      return { ...one, scenario: { ...one.scenario, pets }, pets: { ...one.pets, nextId: 2e12 - 5 } }
    },
    'pets: its ids do not continue those of its scenario (from 1, next 101)',
  ],
  [
    'ids in disorder',
    one => ({ ...one, pets: { ...one.pets, list: [pet(3), pet(2)] } }),
    'pets.list[1].id: 2 is out of order: ids must ascend',
  ],
  [
    'ids that are not those of the scenario',
    one => ({ ...one, pets: { ...one.pets, firstId: 2 } }),
    'pets: its ids do not continue those of its scenario (from 1, next 101)',
  ],
  [
    'a key twice, and one that is missing',
    one => ({
      ...one,
      keys: [...one.keys, ...one.keys.slice(0, 1)],
      scenario: { ...one.scenario, key: 'x' },
    }),
    'scenario.key: x is not among its keys',
    'keys[4].text: there is another key demo-free',
  ],
  [
    'a key of the scenario twice',
    one => ({
      ...one,
      scenario: { ...one.scenario, keys: [...one.scenario.keys, ...one.scenario.keys.slice(1, 2)] },
    }),
    'scenario.keys[4].text: there is another key demo-pro',
  ],
  [
    'pets of the scenario in disorder',
    one => ({
      ...one,
      scenario: { ...one.scenario, pets: { ...one.scenario.pets, list: [pet(3), pet(2)] } },
    }),
    'scenario.pets.list[1].id: 2 is out of order: ids must ascend',
  ],
  [
    'deleted pets where it says that it has all pets',
    one => ({ ...one, pets: { ...one.pets, startsFrom: 'nothing', gone: [3] } }),
    'pets.gone: startsFrom is nothing, so gone must be empty',
  ],
  [
    'a first request that is yet to come',
    one => ({ ...one, firstExchange: 2 }),
    'firstExchange: 2 is beyond nextExchange, 1',
  ],
  [
    'orders that are no list',
    one => ({ ...one, scenario: { ...one.scenario, orders: '{}' } }),
    'scenario.orders: expected a text that is a JSON array',
  ],
])('a snapshot that contradicts itself: %s', (_name, broken, ...problems) => {
  const emulator = createEmulator({ scenario: scenarioOf({}), startedAt: 0 })
  const world = emulator.sandboxes.default
  const snapshot = broken(takeSnapshot(world)) as Taken
  expect(changing(emulator)({ do: 'loadSnapshot', snapshot })).toEqual({
    ok: false,
    refusal: { code: 'invalid_command', message: `${problems.map(told => `snapshot.${told}`).join('; ')}.` },
  })
  expect(emulator.sandboxes.default).toBe(world)
})

test.each<[string, (snapshot: AllTaken) => object, ...string[]]>([
  [
    'no default one',
    all => ({ ...all, sandboxes: [] }),
    'sandboxes: expected a sandbox with the name default',
  ],
  [
    'one twice',
    all => ({ ...all, sandboxes: [...all.sandboxes, ...all.sandboxes] }),
    'sandboxes[1].name: there is another sandbox with the name default',
  ],
  [
    'more than are kept',
    all => ({
      ...all,
      sandboxes: Array.from({ length: 1001 }, (_, at) => ({
        ...all.sandboxes[0],
        name: at === 0 ? 'default' : `w${at}`,
      })),
    }),
    'sandboxes: expected at most 1000 sandboxes, found 1001',
  ],
  [
    'scenarios that are not there',
    all => ({ ...all, startsFrom: 1, sandboxes: all.sandboxes.map(one => ({ ...one, scenario: 9 })) }),
    'startsFrom: there is no scenario with the index 1',
    'sandboxes[0].scenario: there is no scenario with the index 9',
  ],
])('a snapshot of all sandboxes that contradicts itself: %s', (_name, broken, ...problems) => {
  const emulator = createEmulator({ scenario: scenarioOf({}), startedAt: 0 })
  const world = emulator.sandboxes.default
  const snapshot = broken(takeSandboxesSnapshot(emulator.sandboxes)) as AllTaken
  expect(changing(emulator)({ do: 'loadSnapshot', snapshot }, '*')).toEqual({
    ok: false,
    refusal: { code: 'invalid_command', message: `${problems.map(told => `snapshot.${told}`).join('; ')}.` },
  })
  expect(emulator.sandboxes.default).toBe(world)
})

test('a snapshot of all sandboxes is for all of them', () => {
  const emulator = createEmulator({ scenario: scenarioOf({}), startedAt: 0 })
  const snapshot = takeSandboxesSnapshot(emulator.sandboxes)
  expect(changing(emulator)({ do: 'loadSnapshot', snapshot }, 'a')).toMatchObject({
    refusal: {
      message: "snapshot: it contains all sandboxes. Restore it with sandbox=*, in a shell --sandbox '*'.",
    },
  })
  expect(emulator.sandboxes.names()).toEqual(['default'])
})
