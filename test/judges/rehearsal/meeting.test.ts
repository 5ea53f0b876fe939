import { describe, expect, test } from 'vitest'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { shippedScenarios } from '../../../src/control/scenario/shipped.ts'
import { fitSituation } from '../../../src/judges/rehearsal/meeting/fit.ts'
import { watchMeeting } from '../../../src/judges/rehearsal/meeting/meeting.ts'
import { withRehearsal } from '../../../src/judges/rehearsal/rehearsal.ts'
import { sunsetSituations } from '../../../src/judges/rehearsal/sunset.ts'
import { fly, type Pilot } from '../../support/flights.ts'

/** Why the calls of a client do not meet a situation. */
function unmetIn(name: string, file: ScenarioFile, flight: (pilot: Pilot, key: string) => unknown) {
  const meeting = watchMeeting(name, file)
  fly(file, pilot => flight(pilot, file.key ?? 'demo-free'), meeting.add)
  return meeting.unmet()
}

const shipped = (name: string) => shippedScenarios.get(name) ?? {}

const oneList = (pilot: Pilot, key: string) => pilot.call('GET /v1/pets', { key })
const calls = (count: number) => (pilot: Pilot, key: string) =>
  pilot.repeat(count, () => pilot.call('GET /v1/pets', { key }))

describe('one GET /pets', () => {
  const meets = [
    'ban',
    'business-plan',
    'empty-store',
    'enterprise-plan',
    'free-plan',
    'outage',
    'plan-upgrade',
    'precision',
    'pro-plan',
    'slow',
    'slow-body',
  ]

  test('meets the situations whose every reply is different, and no other', () => {
    const met = [...shippedScenarios].filter(([name, file]) => unmetIn(name, file, oneList) === undefined)
    expect(met.map(([name]) => name)).toEqual(meets)
  })

  test.each<[situation: string, why: string]>([
    ['rate-limit-exhaustion', 'this situation begins at call 4'],
    ['retry-after', 'this situation begins at call 2'],
    ['retry-after-zoo', 'this situation begins at call 5'],
    ['shared-key', 'no call came after an event, and no call was refused by a limit or a ban'],
    ['revoked-midway', 'this situation begins at call 6'],
    ['page-shift', 'this situation begins at call 2'],
    ['flaky', 'no rule acted'],
    ['broken-connections', 'no rule acted'],
    ['lost-reply', 'no rule acted, which needs POST /v1/pets'],
    ['not-found', 'no call of GET /v1/pets/{petId} asked for a deleted pet'],
    ['unauthorized', 'no call had a missing, unknown, revoked or expired key'],
    ['deprecated-get-pet', 'no call used the deprecated GET /v1/pets/{petId}'],
    ['brownout', 'no call of GET /v1/pets/{petId} was made while it was removed'],
    ['after-removal', 'no call of GET /v1/pets/{petId} was made while it was removed'],
    ['pagination', 'no call of GET /v1/pets read a second page (rel="next" of the header Link)'],
    ['large-store', 'no call of GET /v1/pets read a second page (rel="next" of the header Link)'],
    ['orders', 'no call of GET /v1/store/orders was made'],
    ['validation-errors', 'no call was rejected as invalid (400), such as POST /v1/pets without a name'],
  ])('does not meet %s: %s', (name, why) => {
    expect(unmetIn(name, shipped(name), oneList)).toBe(`made 1 call; ${why}`)
  })
})

describe('a situation is met', () => {
  test.each<[situation: string, flight: (pilot: Pilot, key: string) => unknown]>([
    ['rate-limit-exhaustion', calls(4)],
    ['ban-escalation', calls(3)],
    ['clock-skew', calls(2)],
    ['clock-skew-behind', calls(2)],
    ['daily-limit', calls(3)],
    ['downgrade', calls(6)],
    ['midnight', calls(3)],
    ['retry-after', calls(2)],
    ['retry-after-zoo', calls(5)],
    ['retry-after-hostile', calls(5)],
    ['shared-key', calls(16)],
    ['revoked-midway', calls(6)],
    ['page-shift', calls(2)],
    ['flaky', calls(2)],
    ['broken-connections', calls(2)],
    ['lost-reply', pilot => pilot.call('POST /v1/pets', { body: '{"name":"Rex","categoryId":1}' })],
    ['not-found', pilot => pilot.call('GET /v1/pets/13')],
    ['unauthorized', pilot => pilot.call('GET /v1/pets', { key: 'demo-revoked' })],
    ['deprecated-get-pet', pilot => pilot.call('GET /v1/pets/1')],
    ['after-removal', pilot => pilot.call('GET /v1/pets/1')],
    [
      'brownout',
      pilot => {
        pilot.wait(600_000)
        pilot.call('GET /v1/pets/1')
      },
    ],
    ['pagination', pilot => followLink(pilot)],
    ['large-store', pilot => followLink(pilot)],
    ['orders', pilot => pilot.call('GET /v1/store/orders')],
    ['validation-errors', pilot => pilot.call('GET /v1/pets?limit=0')],
  ])('%s', (name, flight) => {
    expect(unmetIn(name, shipped(name), flight)).toBeUndefined()
  })
})

function followLink(pilot: Pilot): void {
  const { headers } = pilot.send()
  const [, next = ''] = /<[^>]*(\/v1\/pets[^>]*)>; rel="next"/.exec(headers.Link ?? '') ?? []
  pilot.call(`GET ${next}`)
}

describe('a client of two calls meets, however fast it is', () => {
  const limitsAndEvents = [...shippedScenarios].filter(
    ([name]) => withRehearsal(name, {}).rehearsal?.begins === 'middle',
  )

  test.each(limitsAndEvents)('%s', (name, file) => {
    const { file: fitted } = fitSituation(withRehearsal(name, file), 2)
    expect(unmetIn(name, fitted, calls(2))).toBeUndefined()
    const slowly = (pilot: Pilot, key: string) =>
      pilot.repeat(2, () => pilot.call('GET /v1/pets', { key }), 61_000)
    if (name === 'shared-key') expect(unmetIn(name, fitted, slowly)).toBeUndefined()
  })
})

describe('a situation begins in the middle of the calls of a client', () => {
  const fitted = (file: ScenarioFile, calls: number) =>
    fitSituation({ rehearsal: { begins: 'middle' }, ...file }, calls)
  const demo = (fields: object): ScenarioFile => ({ keys: { 'demo-free': fields } })
  const revoked = { do: 'changeKey', key: 'demo-free', revoked: true } as const
  const outage = { match: {}, when: { after: 7 }, then: { status: 503 } }

  test.each<[what: string, file: ScenarioFile, calls: number, change: object, after: number | undefined]>([
    ['a minute', demo({ used: { minute: 57, day: 412 } }), 4, demo({ used: { minute: 58, day: 413 } }), 2],
    ['a minute, at the latest as declared', demo({ used: { minute: 57 } }), 6, {}, undefined],
    [
      'a minute, at the earliest after a call',
      demo({ used: { minute: 57 } }),
      1,
      demo({ used: { minute: 59, day: 59 } }),
      1,
    ],
    ['a day', demo({ used: { minute: 12, day: 998 } }), 3, demo({ used: { minute: 13, day: 999 } }), 1],
    [
      'a smaller limit',
      demo({ limits: { minute: 4 } }),
      5,
      demo({ limits: { minute: 4 }, used: { minute: 2, day: 2 } }),
      2,
    ],
    ['a limit that nothing came near', {}, 2, {}, undefined],
    ['a limit that is used up', demo({ used: { minute: 60 } }), 2, {}, undefined],
    [
      'an event',
      { events: [{ after: '5 calls', change: revoked }] },
      3,
      { events: [{ after: 1, change: revoked }] },
      1,
    ],
    [
      'several events, as far apart as declared',
      {
        events: [
          { after: 5, change: revoked },
          { after: 9, change: revoked },
        ],
      },
      4,
      {
        events: [
          { after: 2, change: revoked },
          { after: 6, change: revoked },
        ],
      },
      2,
    ],
    [
      'an event of another key',
      { events: [{ after: 5, key: 'demo-pro', change: revoked }] },
      2,
      {},
      undefined,
    ],
    ['an event at a time', { events: [{ after: '5s', change: revoked }] }, 2, {}, undefined],
    ['an outage', { rules: [outage] }, 8, { rules: [{ ...outage, when: { after: 4 } }] }, 4],
    [
      'a scenario that declares its beginning',
      { ...demo({ used: { minute: 57 } }), rehearsal: {} },
      2,
      {},
      undefined,
    ],
  ])('%s', (_, file, calls, change, after) => {
    const { file: found, begins } = fitted(file, calls)
    expect(found).toEqual({ rehearsal: { begins: 'middle' }, ...file, ...change })
    expect(begins?.after).toBe(after)
  })
})

test('a call before the brown-out does not meet it', () => {
  const why = unmetIn('brownout', shipped('brownout'), pilot => pilot.call('GET /v1/pets/1'))
  expect(why).toBe('made 1 call; no call of GET /v1/pets/{petId} was made while it was removed')
})

test('calls spread over several windows may never come near a limit', () => {
  const why = unmetIn('retry-after', shipped('retry-after'), pilot =>
    pilot.repeat(3, () => pilot.call(), 61_000),
  )
  expect(why).toBe('made 3 calls; no call was refused by a limit or a ban')
})

test('each day of a sunset is met by any call: a client that uses nothing deprecated is ready', () => {
  for (const { name, file } of sunsetSituations()) expect(unmetIn(name, file, oneList)).toBeUndefined()
})

describe('a situation of a user', () => {
  test.each<[what: string, file: ScenarioFile, why: string | undefined]>([
    ['is met by any call if it disturbs nothing', { title: 'Mine' }, undefined],
    [
      'counts no limit that is larger than usual',
      { keys: { 'demo-free': { plan: 'free', limits: { minute: 1_000, day: 100_000 } } } },
      undefined,
    ],
    [
      'counts a smaller limit of its key',
      { keys: { 'demo-free': { plan: 'free', limits: { minute: 2, day: 100 } } } },
      'made 1 call; this situation begins at call 3',
    ],
    [
      'counts a smaller limit of its plan',
      { plans: { free: { minute: 2, day: 100 } } },
      'made 1 call; this situation begins at call 3',
    ],
    ['counts only the key of the client', { keys: { old: { plan: 'free', revoked: true } } }, undefined],
    [
      'counts only the quota of the client',
      { keys: { old: { plan: 'free', used: { minute: 60 } } } },
      undefined,
    ],
    ['is met without bans', { bans: 'off' }, undefined],
    [
      'is met if no quota is used',
      { keys: { 'demo-free': { plan: 'free', used: { minute: 0 } } } },
      undefined,
    ],
    [
      'with several events begins at the first of them',
      {
        events: [9, 4].map(after => ({
          after: `${after} calls`,
          change: { do: 'addPet', name: 'Rex', categoryId: 1 },
        })),
      },
      'made 1 call; this situation begins at call 5',
    ],
    ['is met by any call on a late day', { clock: { at: '2032-02-29T00:00:00Z' } }, undefined],
    ['is met by a call about pets if it has other pets', { pets: { count: 3 } }, undefined],
    [
      'with several disturbances needs one of them',
      {
        rules: [{ match: { operation: 'createPet' }, then: { status: 503 } }],
        events: [{ after: '1h', change: { do: 'addPet', name: 'Rex', categoryId: 1 } }],
      },
      'made 1 call; no rule acted, which needs POST /v1/pets, and no call came after an event',
    ],
  ])('%s', (_, file, why) => {
    expect(unmetIn('mine.yaml', file, oneList)).toBe(why)
  })
})

test.each<[plan: string, plans: ScenarioFile['plans'], why: string | undefined]>([
  ['free', { free: { minute: 5, day: 1_000 } }, 'made 1 call; this situation begins at call 6'],
  ['free', { pro: { minute: 5, day: 50 } }, undefined],
  ['own', { own: { minute: 5, day: 50 } }, undefined],
])('a key on the plan %s, of the plans %j: is it limited more than usual?', (plan, plans, why) => {
  expect(unmetIn('mine.yaml', { plans, keys: { 'demo-free': { plan } } }, oneList)).toBe(why)
})

test('a client without a call meets nothing', () => {
  expect(unmetIn('mine.yaml', { title: 'Mine' }, () => {})).toBe('made no call')
})

test('a removal that keeps the operation is met by a call of it', () => {
  const file: ScenarioFile = { clock: { at: '2031-02-28T00:00:00Z' }, deprecation: { after: 'keep' } }
  expect(unmetIn('mine.yaml', file, pilot => pilot.call('GET /v1/pets/1'))).toBeUndefined()
})
