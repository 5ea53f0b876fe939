import { describe, expect, it, test } from 'vitest'
import { createEventRunner } from '../../../src/control/change/run-event.ts'
import { check } from '../../../src/control/fields/check.ts'
import type { Command, ScenarioFile } from '../../../src/control/scenario/file.ts'
import { snapshot as snapshotShape } from '../../../src/control/scenario/settings/snapshot.ts'
import { checkSnapshot } from '../../../src/control/snapshot/check.ts'
import { restoreSandboxes } from '../../../src/control/snapshot/restore.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import { changing } from '../../support/changes.ts'
import { noon, scenarioOf } from '../../support/scenarios.ts'
import { takeSandboxesSnapshot } from '../../support/snapshots.ts'

/** An emulator whose scenario is saved anew while it runs, as with --watch. */
function open(file: ScenarioFile) {
  const named = (saved: ScenarioFile, name: string) => ({ ...scenarioOf(saved), name })
  const runEvent = createEventRunner()
  const { sandboxes, handle } = createEmulator({ scenario: named(file, 'f.yaml'), startedAt: noon, runEvent })
  const change = changing({ sandboxes } as never)
  let now = noon
  return {
    sandboxes,
    wait: (ms: number) => {
      now += ms
    },
    save: (saved: ScenarioFile, name = 'f.yaml') => sandboxes.adopt(named(saved, name), now),
    change: (command: Command, sandbox?: string) =>
      expect(change(command, sandbox, now)).toMatchObject({ ok: true }),
    call: (key = 'demo-free', method = 'GET') => {
      const headers = ['Host', 'localhost', 'Authorization', `Bearer ${key}`]
      return handle({
        method,
        target: '/v1/pets',
        headers,
        body: undefined,
        scheme: 'http',
        client: 'a',
        receivedAt: now,
      })
    },
  }
}

const down = { name: 'down', then: { status: 503 } }
const real = { at: null, frozen: false }

describe('a rule that is switched', () => {
  const off: Command = { do: 'changeRule', name: 'down', on: false }
  const on: Command = { do: 'changeRule', name: 'down', on: true }
  it.each<
    [
      what: string,
      before: ScenarioFile,
      commands: readonly Command[],
      calls: number,
      after: ScenarioFile,
      status: number,
    ]
  >([
    [
      'off by hand stays off without a call',
      { rules: [down] },
      [off],
      0,
      { rules: [{ ...down, ttl: '1h' }] },
      200,
    ],
    [
      'off by hand stays off after a call',
      { rules: [down] },
      [off],
      1,
      { rules: [{ ...down, ttl: '1h' }] },
      200,
    ],
    [
      'on by hand stays on without a call',
      { rules: [{ ...down, on: false }] },
      [on],
      0,
      { rules: [{ ...down, on: false, ttl: '1h' }] },
      503,
    ],
    [
      'on by hand stays on after a call',
      { rules: [{ ...down, on: false }] },
      [on],
      1,
      { rules: [{ ...down, on: false, ttl: '1h' }] },
      503,
    ],
    ['off by the save is off', { rules: [down] }, [], 1, { rules: [{ ...down, on: false }] }, 200],
    ['on by the save is on', { rules: [{ ...down, on: false }] }, [], 1, { rules: [down] }, 503],
    [
      'off by hand and on by the save is on',
      { rules: [{ ...down, on: false }] },
      [on, off],
      1,
      { rules: [down] },
      503,
    ],
    ['off by the declaration of a new rule is off', {}, [], 1, { rules: [{ ...down, on: false }] }, 200],
  ])('%s', (_, before, commands, calls, after, status) => {
    const { change, save, call } = open(before)
    for (const command of commands) change(command)
    for (let made = 0; made < calls; made += 1) call()
    save(after)
    expect(call().status).toBe(status)
  })
})

test('a rule that is declared off acts once an event switches it on', () => {
  const { call } = open({
    rules: [{ ...down, on: false }],
    events: [{ after: 2, change: { do: 'changeRule', name: 'down', on: true } }],
  })
  expect([call(), call(), call()].map(({ status }) => status)).toEqual([200, 200, 503])
})

describe('the clock is reset after a save in its future', () => {
  const moments = (file: ScenarioFile) => {
    const { change, save, call, wait } = open({ clock: real })
    call()
    change({ do: 'advanceClock', by: '1h' })
    wait(500)
    save({ clock: real, ...file })
    change({ do: 'resetClock' })
    return [0, 4_000, 1_000].map(ms => {
      wait(ms)
      return call().status
    })
  }
  it.each<[what: string, file: ScenarioFile, statuses: readonly number[]]>([
    ['a new rule with a ttl ends in time', { rules: [{ ...down, ttl: '5s' }] }, [503, 503, 200]],
    [
      'a new rule that acts after a time does so',
      { rules: [{ ...down, when: { after: '5s' } }] },
      [200, 200, 503],
    ],
    [
      'a new event happens after its time',
      { events: [{ after: '5s', change: { do: 'banKey', key: 'demo-free' } }] },
      [200, 200, 429],
    ],
  ])('%s', (_, file, statuses) => {
    expect(moments(file)).toEqual(statuses)
  })
})

describe('a new clock.offset', () => {
  const aheadOf = (scale: number) => {
    const { call, save, change, wait } = open({ clock: { ...real, offset: '3m', scale } })
    const dates: number[] = []
    const look = () => dates.push(Date.parse(call().headers.Date ?? '') - Math.floor(noon / 1_000) * 1_000)
    look()
    save({ clock: { ...real, offset: '-6m', scale } })
    look()
    change({ do: 'resetClock' })
    look()
    change({ do: 'reset' })
    look()
    wait(0)
    return dates
  }
  it.each([
    [1, [180_000, 180_000, -360_000, -360_000]],
    [30, [6_000, 6_000, -12_000, -12_000]],
    [0.5, [360_000, 360_000, -720_000, -720_000]],
  ])('holds from the next reset on, at speed %d as at every other', (scale, dates) => {
    expect(aheadOf(scale)).toEqual(dates)
  })
})

describe('a save', () => {
  it('changes events: an edited one, a new one and one that is gone', () => {
    const banning = (after: number, key: string) => ({ after, change: { do: 'banKey' as const, key } })
    const { save, call } = open({ events: [banning(3, 'demo-free'), banning(3, 'demo-pro')] })
    call()
    save({ events: [banning(1, 'demo-free'), banning(1, 'demo-business')] })
    // Their calls count from the save on.
    expect(
      ['demo-enterprise', 'demo-free', 'demo-pro', 'demo-business'].map(key => call(key).status),
    ).toEqual([200, 429, 200, 429])
    expect([call('demo-pro').status, call('demo-pro').status]).toEqual([200, 200])
  })

  it('changes sharedUse of a key: from none, to another rate, and to none', () => {
    const shared = (perMinute?: number): ScenarioFile => ({
      clock: real,
      keys: { 'demo-free': perMinute === undefined ? {} : { sharedUse: { perMinute } } },
    })
    const { save, call, wait } = open(shared())
    const left = () => Number(call().headers['X-RateLimit-Remaining'])
    const found = [left()]
    wait(10_000)
    for (const rate of [60, 120, undefined]) {
      save(shared(rate))
      found.push(left())
    }
    expect(found).toEqual([59, 48, 37, 56])
  })
})

test('a file of another name is taken up by all that followed the one before', () => {
  const { save, call } = open({})
  call('demo-free+w1')
  save({ rules: [down] }, 'g.yaml')
  expect([call().status, call('demo-free+w1').status]).toEqual([503, 503])
})

describe('another scenario for new sandboxes', () => {
  const other: ScenarioFile = { rules: [down] }
  const edited: ScenarioFile = { rules: [{ name: 'edited', then: { status: 500 } }] }

  it('is not followed by sandboxes that run the earlier one, also after a snapshot', () => {
    for (const isRestored of [false, true]) {
      const { sandboxes, change, save, call } = open({})
      call('demo-free+w1')
      change({ do: 'useScenario', scenario: { ...other }, name: 'other' })
      if (isRestored) {
        const snapshot = takeSandboxesSnapshot(sandboxes)
        expect([...check(snapshotShape, snapshot), ...checkSnapshot(snapshot)]).toEqual([])
        sandboxes.replaceAll(...restoreSandboxes(JSON.parse(JSON.stringify(snapshot))))
      }
      expect([call().status, call('demo-free+w1').status, call('demo-free+w2').status]).toEqual([
        503, 200, 503,
      ])
      save(edited, 'other')
      expect([call().status, call('demo-free+w1').status, call('demo-free+w2').status]).toEqual([
        500, 200, 500,
      ])
    }
  })

  it('leaves a sandbox of a watched file to the saves of that file', () => {
    const { change, save, call } = open({})
    call('demo-free+w1')
    change({ do: 'useScenario', scenario: { ...other }, name: 'other' })
    save(edited)
    expect(call('demo-free+w1').status).toBe(500)
  })

  it('leaves a sandbox that took up a file again with it, also if the next file is another one', () => {
    const { change, save, call } = open({})
    call('demo-free+w1')
    change({ do: 'useScenario', scenario: { ...other }, name: 'other' })
    save(edited)
    save(other, 'g.yaml')
    expect([call().status, call('demo-free+w1').status]).toEqual([503, 503])
  })

  it('whose name a sandbox has by chance is not followed after a snapshot either', () => {
    const { sandboxes, change } = open({})
    change({ do: 'useScenario', scenario: { ...other }, name: 'same' })
    change({ do: 'useScenario', scenario: { seed: 9 }, name: 'same' }, 'w1')
    const followers = () => [...sandboxes].map(({ follows }) => follows)
    expect(followers()).toEqual([true, false])
    sandboxes.replaceAll(...restoreSandboxes(takeSandboxesSnapshot(sandboxes)))
    expect(followers()).toEqual([true, false])
  })
})

describe('a deleted key with a plus', () => {
  const keys = { team: { plan: 'free' }, 'team+x': { plan: 'pro' } } as const

  it.each<[what: string, gone: (emulator: ReturnType<typeof open>) => void]>([
    ['by hand', ({ change }) => change({ do: 'deleteKey', key: 'team+x' })],
    ['by a save', ({ save }) => save({ keys: { team: { plan: 'free' } } })],
    [
      'that was added by hand',
      ({ change }) => {
        change({ do: 'deleteKey', key: 'team+x' })
        change({ do: 'addKey', key: 'team+x', plan: 'pro' })
        change({ do: 'deleteKey', key: 'team+x' })
      },
    ],
  ])('%s gets 401, and does not live on as a sandbox, also after a snapshot', (_, gone) => {
    const emulator = open({ keys })
    const { sandboxes, call, change } = emulator
    expect(call('team+x').headers['X-RateLimit-Limit']).toBe('300')
    gone(emulator)
    expect([call('team+x').status, call('team+y').status, sandboxes.names()]).toEqual([
      401,
      200,
      ['default', 'y'],
    ])
    const snapshot = takeSandboxesSnapshot(sandboxes)
    expect([...check(snapshotShape, snapshot), ...checkSnapshot(snapshot)]).toEqual([])
    sandboxes.replaceAll(...restoreSandboxes(JSON.parse(JSON.stringify(snapshot))))
    expect([call('team+x').status, sandboxes.names()]).toEqual([401, ['default', 'y']])
    change({ do: 'addKey', key: 'team+x', plan: 'pro' })
    expect(call('team+x').status).toBe(200)
  })
})

test('a deleted key without a plus, which names no sandbox, is in no snapshot', () => {
  const { sandboxes, change } = open({ keys: { team: { plan: 'free' } } })
  change({ do: 'deleteKey', key: 'team' })
  const [world] = takeSandboxesSnapshot(sandboxes).sandboxes
  expect(world).toMatchObject({ name: 'default', keys: expect.any(Array) })
  expect(JSON.stringify(world?.keys)).not.toContain('team')
  expect(world).not.toHaveProperty('deletedKeys')
})

test('a snapshot can be restored after the clock went back 7,000 years twice', () => {
  const { sandboxes, change, save, call } = open({ clock: real })
  change({ do: 'addRule', rule: { ...down, ttl: '5m' } })
  save({
    clock: real,
    rules: [{ name: 'later', then: { status: 500 }, ttl: '5m' }],
    events: [{ after: '1s', change: { do: 'banKey', key: 'demo-pro' } }],
  })
  for (let time = 0; time < 2; time += 1) {
    change({ do: 'advanceClock', to: '9899-12-31' })
    save({
      clock: real,
      rules: [{ name: `later ${time}`, then: { status: 500 }, ttl: '5m' }],
      events: [{ after: `${time + 1}s`, change: { do: 'banKey', key: 'demo-pro' } }],
    })
    change({ do: 'resetClock' })
  }
  const snapshot = takeSandboxesSnapshot(sandboxes)
  expect([...check(snapshotShape, snapshot), ...checkSnapshot(snapshot)]).toEqual([])
  change({ do: 'deleteRule', name: 'later 1' })
  // The rule that was added first is over.
  expect(call().status).toBe(200)
})

test('a sandbox that is reset becomes the most recently used one', () => {
  const { sandboxes, change, call } = open({})
  for (let index = 0; index < 1_000; index += 1) {
    if (sandboxes.names().length < 1_000) call(`demo-enterprise+w${index}`)
  }
  expect(sandboxes.names().slice(1, 3)).toEqual(['w0', 'w1'])
  change({ do: 'reset' }, 'w0')
  call('demo-enterprise+new')
  expect([sandboxes.get('w0') === undefined, sandboxes.get('w1') === undefined]).toEqual([false, true])
})
