import { expect, test } from 'vitest'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { extendShipped, shippedScenarios } from '../../../src/control/scenario/shipped.ts'
import { settleRehearsal, situationClock, withRehearsal } from '../../../src/judges/rehearsal/rehearsal.ts'

test('a scenario that says nothing expects nothing but polite calls', () => {
  expect(settleRehearsal({})).toEqual({
    expects: 'either',
    recovers: undefined,
    allow: [],
    forbid: [],
    failOn: 'error',
    clock: undefined,
  })
})

test.each<[ScenarioFile['rehearsal'], object]>([
  [{ expects: 'failure' }, { expects: 'failure' }],
  [{ recovers: '1m30s' }, { recovers: 90_000 }],
  [{ recovers: 'none' }, { recovers: undefined }],
  [{ conduct: { allow: ['banned'] } }, { allow: ['banned'], failOn: 'error' }],
  [{ conduct: { forbid: ['no-backoff'] } }, { forbid: ['no-backoff'] }],
  [{ conduct: { failOn: 'never' } }, { allow: [], failOn: 'never' }],
  [{ clock: { scale: 5 } }, { clock: { scale: 5 } }],
  [{ clock: { frozen: true } }, { clock: { frozen: true } }],
])('%o', (rehearsal, expected) => {
  expect(settleRehearsal({ rehearsal })).toMatchObject(expected)
})

test('a scenario does not inherit the rehearsal of the one that it extends', () => {
  const base = extendShipped({ rehearsal: { expects: 'success' } })
  expect(settleRehearsal(base).expects).toBe('success')
  expect(extendShipped({ extends: 'free-plan' })).not.toHaveProperty('rehearsal')
})

const banSettings = { after: 3, for: '2m', escalate: { factor: 2, max: '5m' } } as const
const outage = { name: 'outage', when: { between: ['0s', '10m'] }, then: { status: 503 } } as const

test.each<[string, ScenarioFile, number]>([
  ['nothing: the window of a minute', {}, 60],
  ['many pets, which are not made for this', { pets: { count: 1_000_000 } }, 60],
  ['half a day used', { keys: { 'demo-free': { used: { minute: 0, day: 500 } } } }, 60],
  [
    'less than a minute left of the day',
    { keys: { 'demo-free': { used: { minute: 0, day: 941 } } } },
    86_400,
  ],
  ['a minute left of the day', { keys: { 'demo-free': { used: { minute: 0, day: 940 } } } }, 60],
  ['the fixtures give the plan', { keys: { 'demo-pro': { used: { minute: 0, day: 9_990 } } } }, 86_400],
  [
    'the day ends soon',
    {
      clock: { at: '2026-03-02T23:50:00Z' },
      limits: { window: 'calendar' },
      keys: { 'demo-free': { used: { day: 999 } } },
    },
    600,
  ],
  ['a banned key', { keys: { 'demo-free': { banned: '90s' } } }, 90],
  ['strikes: the next refusals ban the key', { keys: { 'demo-free': { strikes: 1 } } }, 300],
  ['no bans', { bans: 'off', keys: {} }, 60],
  ['bans of its own', { bans: { after: 3 } }, 300],
  ['short bans of its own', { bans: { for: '10s' } }, 60],
  ['the third of bans that get longer, at most', { bans: banSettings }, 300],
  ['the third of bans that get longer', { bans: { ...banSettings, escalate: { factor: 2 } } }, 480],
  ['a rule that ends', { rules: [outage] }, 600],
  ['a rule that begins', { rules: [{ ...outage, when: { after: '5m' } }] }, 300],
  ['a rule that begins after some calls', { rules: [{ ...outage, when: { after: 500 } }] }, 60],
  ['a rule that lives for a time', { rules: [{ ...outage, when: {}, ttl: '2m' }] }, 120],
  ['an event', { events: [{ after: '2m', change: { do: 'unbanKey', key: 'demo-free' } }] }, 120],
  [
    'an event after some calls',
    { events: [{ after: 200, change: { do: 'unbanKey', key: 'demo-free' } }] },
    60,
  ],
  ['an event that bans', { events: [{ after: 2, change: { do: 'banKey', key: 'demo-free' } }] }, 300],
  [
    'an event that bans for a time',
    { events: [{ after: 2, change: { do: 'banKey', key: 'demo-free', for: '1h' } }] },
    3_600,
  ],
  ['an event that adds a rule', { events: [{ after: 2, change: { do: 'addRule', rule: outage } }] }, 600],
  [
    'an event that adds a key',
    { events: [{ after: 2, change: { do: 'addKey', key: 'k', plan: 'free', banned: '5m' } }] },
    300,
  ],
  [
    'brownouts',
    {
      clock: { at: '2026-03-02T09:00:00Z' },
      deprecation: { brownouts: [{ from: '2026-03-02T09:10:00Z', to: '2026-03-02T10:00:00Z' }] },
    },
    3_600,
  ],
  [
    'brownouts at no known time',
    { deprecation: { brownouts: [{ from: '2026-03-02T09:10:00Z', to: '2026-03-02T10:00:00Z' }] } },
    60,
  ],
])('the longest wait takes two seconds: %s', (_name, file, seconds) => {
  expect(situationClock(file)).toEqual({ scale: seconds / 2 })
})

test.each<[string, ScenarioFile, object]>([
  ['the field comes first', { clock: { scale: 2 }, rehearsal: { clock: { scale: 7 } } }, { scale: 7 }],
  ['a frozen clock stays frozen', { clock: { frozen: true } }, { frozen: true }],
  ['a scaled clock keeps its scale', { clock: { scale: 2 } }, { scale: 2 }],
  ['no clock is faster than any may be', { keys: { 'demo-free': { banned: '365d' } } }, { scale: 86_400 }],
])('%s', (_name, file, clock) => {
  expect(situationClock(file)).toEqual(clock)
})

const otherScales: Readonly<Record<string, number>> = {
  'ban-escalation': 120,
  ban: 150,
  brownout: 3_600,
  'daily-limit': 43_200,
}

const situations = Array.from(shippedScenarios, ([name, file]) => [name, withRehearsal(name, file)] as const)

test.each(situations)('%s says what it expects of a client', (name, file) => {
  expect(file.rehearsal?.expects).toBeDefined()
  expect(situationClock(file)).toEqual({ scale: otherScales[name] ?? 30 })
})

test('a client has at least four seconds of real time to recover', () => {
  for (const [, file] of situations) {
    const { recovers = Number.POSITIVE_INFINITY } = settleRehearsal(file)
    const clock = situationClock(file)
    expect(recovers).toBeGreaterThanOrEqual('scale' in clock ? 4_000 * clock.scale : 0)
  }
})
