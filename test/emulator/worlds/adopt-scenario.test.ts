import { describe, expect, it } from 'vitest'
import type { Command, ScenarioFile } from '../../../src/control/scenario/file.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import { adoptScenario, isUnused } from '../../../src/emulator/worlds/adopt-scenario.ts'
import type { World } from '../../../src/emulator/worlds/world.ts'
import { changing } from '../../support/changes.ts'
import { noon, scenarioOf } from '../../support/scenarios.ts'

function open(file: ScenarioFile) {
  const emulator = createEmulator({ scenario: scenarioOf(file), startedAt: noon })
  const change = changing(emulator)
  return { world: emulator.sandboxes.default, change: (command: Command) => change(command, undefined, noon) }
}

/** Besides the shipped ones. */
const ownKeys = ({ keys }: World) => [...keys.keys()].filter(key => !key.startsWith('demo-'))

describe('a world is unused', () => {
  const start: ScenarioFile = {
    keys: { mine: { plan: 'free' }, other: { plan: 'free' } },
    rules: [
      { name: 'down', when: { after: 9 }, then: { status: 503 } },
      { name: 'idle', on: false, then: { status: 500 } },
    ],
  }
  it.each<[what: string, commands: readonly Command[], expected: boolean]>([
    ['at its start', [], true],
    ['with a moved clock', [{ do: 'advanceClock', by: '1s' }], false],
    ['with a running clock', [{ do: 'resumeClock' }], false],
    ['with a new pet', [{ do: 'addPet', name: 'Rex', categoryId: 1 }], false],
    ['with a new key', [{ do: 'addKey', key: 'new', plan: 'free' }], false],
    ['without a key', [{ do: 'deleteKey', key: 'mine' }], false],
    [
      'with another key',
      [
        { do: 'deleteKey', key: 'mine' },
        { do: 'addKey', key: 'new', plan: 'free' },
      ],
      false,
    ],
    ['with a revoked key', [{ do: 'changeKey', key: 'other', revoked: true }], false],
    ['with a new rule', [{ do: 'addRule', rule: { name: 'up', then: { status: 500 } } }], false],
    ['without a rule', [{ do: 'deleteRule', name: 'down' }], false],
    ['with a rule that is switched off', [{ do: 'changeRule', name: 'down', on: false }], false],
    [
      'with a rule that is declared off and switched on',
      [{ do: 'changeRule', name: 'idle', on: true }],
      false,
    ],
    [
      'with another rule of the same name',
      [{ do: 'addRule', rule: { name: 'down', then: { status: 500 } } }],
      false,
    ],
  ])('%s: %j', (_, commands, expected) => {
    const { world, change } = open(start)
    for (const command of commands) expect(change(command)).toMatchObject({ ok: true })
    expect(isUnused(world)).toBe(expected)
  })

  it('until its first call', () => {
    const { world } = open(start)
    world.nextExchange += 1
    expect(isUnused(world)).toBe(false)
  })
})

describe('another scenario', () => {
  const adopt = (before: ScenarioFile, after: ScenarioFile, ...commands: readonly Command[]) => {
    const { world, change } = open(before)
    for (const command of commands) expect(change(command)).toMatchObject({ ok: true })
    adoptScenario(world, scenarioOf(after), noon)
    return world
  }
  const free = { plan: 'free' as const }

  it('brings its new keys, and takes those that are gone', () => {
    const keys = { new: { plan: 'pro' as const, used: { minute: 3 } }, stays: free }
    const world = adopt({ keys: { stays: free, goes: free } }, { keys })
    expect(ownKeys(world)).toEqual(['stays', 'new'])
    expect(world.keys.get('new')).toMatchObject({ plan: 'pro', windows: { minute: { used: 3 } } })
  })

  it('does not bring back what was deleted, and leaves alone what was added', () => {
    const before = { keys: { mine: free } }
    const deleted = adopt(before, { keys: { mine: free } }, { do: 'deleteKey', key: 'mine' })
    expect(ownKeys(deleted)).toEqual([])
    const added = adopt(
      before,
      { keys: { mine: free, hand: { plan: 'pro' } } },
      {
        do: 'addKey',
        key: 'hand',
        plan: 'free',
        used: { minute: 3 },
      },
    )
    expect(added.keys.get('hand')).toMatchObject({ plan: 'pro', windows: { minute: { used: 3 } } })
  })

  it.each<[what: string, command: Command, after: object, expected: object]>([
    ['a revocation', { do: 'changeKey', key: 'mine', revoked: true }, free, { revoked: true }],
    [
      'an expiry',
      { do: 'changeKey', key: 'mine', expires: '2026-03-02T13:00:00Z' },
      free,
      { expiresAt: Date.UTC(2026, 2, 2, 13) },
    ],
    [
      'a quota of the day',
      { do: 'changeKey', key: 'mine', limits: { day: 5 } },
      { plan: 'free', limits: { minute: 7 } },
      { quota: { minute: 60, day: 5 } },
    ],
    [
      'a quota of the minute',
      { do: 'changeKey', key: 'mine', limits: { minute: 5 } },
      { plan: 'free', limits: { day: 7 } },
      { quota: { minute: 5, day: 1_000 } },
    ],
  ])('keeps %s that was set by hand', (_, command, after, expected) => {
    const world = adopt({ keys: { mine: free } }, { keys: { mine: after } } as ScenarioFile, command)
    expect(world.keys.get('mine')).toMatchObject(expected)
  })

  it('without the plan of a key leaves its quota, and a later one with that plan brings it back', () => {
    const plans = (minute: number) => ({ team: { minute, day: 50 } })
    const world = adopt({ plans: plans(5) }, {}, { do: 'addKey', key: 'hand', plan: 'team' })
    expect(world.keys.get('hand')).toMatchObject({ plan: 'team', quota: { minute: 5, day: 50 } })
    adoptScenario(world, scenarioOf({ plans: plans(7) }), noon)
    expect(world.keys.get('hand')).toMatchObject({ plan: 'team', quota: { minute: 5, day: 50 } })
  })

  it('changes what it says anew', () => {
    const world = adopt(
      { keys: { mine: { ...free, limits: { minute: 2 } } } },
      {
        keys: {
          mine: { ...free, limits: { minute: 7 }, revoked: true, expires: '2026-03-02T13:00:00Z' },
        },
      },
    )
    expect(world.keys.get('mine')).toMatchObject({
      quota: { minute: 7, day: 1_000 },
      revoked: true,
      expiresAt: Date.UTC(2026, 2, 2, 13),
    })
  })
})
