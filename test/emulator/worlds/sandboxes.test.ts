import { describe, expect, it } from 'vitest'
import type { ScenarioFile } from '../../../src/control/scenario/file.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import { isOpen } from '../../../src/emulator/worlds/expectations.ts'
import { defaultSandbox, maxSandboxes, splitKey } from '../../../src/emulator/worlds/sandboxes.ts'
import { createWorld, type World } from '../../../src/emulator/worlds/world.ts'
import { noon, scenarioOf } from '../../support/scenarios.ts'

const keyOf = (text: string) => splitKey({ kind: 'key', text })

function open(file: ScenarioFile = {}) {
  const notices: string[] = []
  const scenario = scenarioOf(file)
  const emulator = createEmulator({ scenario, startedAt: noon, onNotice: text => notices.push(text) })
  const { sandboxes } = emulator
  const call = (key: string) => {
    const headers = ['Host', 'localhost', 'Authorization', `Bearer ${key}`]
    const rest = { body: undefined, scheme: 'http', client: 'a', receivedAt: noon } as const
    return emulator.handle({ method: 'GET', target: '/v1/pets', headers, ...rest }).status
  }
  return { scenario, sandboxes, call, notices }
}

const idsOf = (world: World | undefined) => [world?.firstExchange, world?.nextExchange, world?.placedAt]

describe('the ids of exchanges', () => {
  it('go on when a sandbox starts anew', () => {
    const { sandboxes, call } = open()
    for (const key of ['demo-free', 'demo-free+a', 'demo-free+a']) call(key)
    expect([idsOf(sandboxes.get('a')), idsOf(sandboxes.default)]).toEqual([
      [1, 3, 1],
      [1, 2, 1],
    ])
    sandboxes.startAnew('a', noon)
    expect(idsOf(sandboxes.get('a'))).toEqual([3, 3, 3])
    call('demo-free+a')
    expect(idsOf(sandboxes.get('a'))).toEqual([3, 4, 3])
  })

  it('go on when a dropped sandbox comes back', () => {
    const { sandboxes, call } = open()
    call('demo-free+a')
    sandboxes.drop('a', noon)
    expect([sandboxes.get('a'), sandboxes.dropped.get('a')]).toEqual([undefined, 2])
    call('demo-free+a')
    expect([idsOf(sandboxes.get('a')), sandboxes.dropped.has('a')]).toEqual([[2, 3, 2], false])
  })

  it('of a world with later ones stay', () => {
    const { sandboxes, call, scenario } = open()
    call('demo-free+a')
    const world = createWorld('a', scenario, noon)
    world.firstExchange = 5
    world.nextExchange = 9
    sandboxes.keep(world)
    expect(idsOf(world)).toEqual([5, 9, 9])
    // Placed again where it stands, it starts no second time.
    call('demo-free+a')
    sandboxes.keep(world)
    expect(idsOf(world)).toEqual([5, 10, 9])
  })

  it('of a world that has recorded calls keep their beginning', () => {
    const { sandboxes, call, scenario } = open()
    for (const key of ['demo-free+a', 'demo-free+a', 'demo-free+a']) call(key)
    const world = createWorld('a', scenario, noon)
    world.nextExchange = 3
    sandboxes.keep(world)
    expect(idsOf(world)).toEqual([1, 4, 4])
  })
})

describe('a sandbox of a key', () => {
  const keys = {
    'team+x': { plan: 'free' },
    'team+x+w1': { plan: 'pro' },
    gone: { plan: 'free', revoked: true },
    plain: { plan: 'free' },
    p: { plan: 'free' },
  } as const
  const file: ScenarioFile = { keys }
  it.each<[key: string, sandbox: string, plan: string | undefined, isMade: boolean]>([
    ['team+x', 'default', 'free', false],
    ['team+x+w2', 'w2', 'free', true],
    // The whole key has precedence.
    ['team+x+w1', 'default', 'pro', false],
    ['team+x+default', 'default', 'free', false],
    ['unknown+w2', 'default', undefined, false],
    ['unknown', 'default', undefined, false],
    // A key that begins like a valid one names no sandbox.
    ['team+x1', 'default', undefined, false],
    ['plainx', 'default', undefined, false],
    ['p+w2', 'w2', 'free', true],
    ['team+x+', 'default', undefined, false],
    [`team+x+${'a'.repeat(65)}`, 'default', undefined, false],
    // A key that is not valid makes no sandbox.
    ['gone+w2', 'default', undefined, false],
  ])('%s is %s', (text, sandbox, plan, isMade) => {
    const { sandboxes } = open(file)
    const found = sandboxes.find(keyOf(text), noon)
    expect([found.world.sandbox, found.key?.plan]).toEqual([sandbox, plan])
    expect(sandboxes.names()).toEqual(isMade ? ['default', sandbox] : ['default'])
  })

  it('is the default one without a key', () => {
    const { sandboxes } = open(file)
    for (const kind of ['none', 'malformed'] as const)
      expect(sandboxes.find(splitKey({ kind }), noon)).toEqual({ world: sandboxes.default, key: undefined })
  })
})

it('drops the least recently used of 1 000, and says so', () => {
  const { sandboxes, notices } = open()
  for (let n = 0; n < maxSandboxes; n += 1) sandboxes.find(keyOf(`demo-free+w${n}`), noon)
  expect(sandboxes.names()).toHaveLength(maxSandboxes)
  expect([sandboxes.get('w0'), sandboxes.dropped.get('w0')]).toEqual([undefined, 1])
  sandboxes.find(keyOf('demo-free+w1'), noon)
  sandboxes.find(keyOf('demo-free+more'), noon)
  expect([sandboxes.get('w1')?.sandbox, sandboxes.get('w2')]).toEqual(['w1', undefined])
  expect(notices).toEqual(
    ['w0', 'w2'].map(name => `The sandbox "${name}" was dropped: it was the least recently used of 1000.`),
  )
})

it('starts a sandbox anew from its own scenario, and drops it to that of new ones', () => {
  const { sandboxes, scenario, call } = open()
  call('demo-free+a')
  const own = scenarioOf({ seed: 7 })
  sandboxes.startAnew('a', noon, own)
  const follows = () => [sandboxes.get('a')?.scenario === own, sandboxes.get('a')?.follows]
  expect(follows()).toEqual([true, false])
  sandboxes.startAnew('a', noon)
  expect(follows()).toEqual([true, false])
  sandboxes.startAnew('a', noon, scenario)
  expect(follows()).toEqual([false, true])
  // One that was not there follows, too.
  sandboxes.startAnew('new', noon)
  expect([sandboxes.get('new')?.scenario, sandboxes.get('new')?.follows]).toEqual([scenario, true])
  sandboxes.startAnew(defaultSandbox, noon, own)
  sandboxes.drop(defaultSandbox, noon)
  expect([sandboxes.default.scenario, sandboxes.names()]).toEqual([scenario, ['default', 'a', 'new']])
})

it('is replaced as a whole, with a default one', () => {
  const { sandboxes, scenario, call } = open()
  for (const key of ['demo-free+a', 'demo-free+b']) call(key)
  const worlds = ['c', defaultSandbox, 'b'].map(name => createWorld(name, scenario, noon))
  const before = sandboxes.changes
  const earlier = new Map([
    ['d', 4],
    ['a', 1],
  ])
  sandboxes.replaceAll(scenario, worlds, earlier)
  expect(sandboxes.names()).toEqual(['default', 'c', 'b'])
  expect([sandboxes.default, sandboxes.get('c'), sandboxes.get('b')]).toEqual([
    worlds[1],
    worlds[0],
    worlds[2],
  ])
  // The greater id, and as the last one.
  expect([...sandboxes.dropped]).toEqual([
    ['d', 4],
    ['a', 2],
  ])
  expect(sandboxes.changes).toBeGreaterThan(before)
  expect(() => sandboxes.replaceAll(scenario, worlds.slice(0, 1), new Map())).toThrow(
    new RangeError('There is no world for the default sandbox.'),
  )
})

it('counts every change', () => {
  const { sandboxes, call, scenario } = open()
  const changes = [
    () => call('demo-free+a'),
    () => sandboxes.startAnew('a', noon),
    () => sandboxes.drop('a', noon),
    () => sandboxes.adopt(scenarioOf({ seed: 2 }), noon),
    () => sandboxes.keep(createWorld('b', scenario, noon)),
  ].map(change => {
    const before = sandboxes.changes
    change()
    return sandboxes.changes > before
  })
  expect(changes).toEqual([true, true, true, true, true])
})

it('starts a key with the strikes and bans of its scenario', () => {
  const { sandboxes } = open({
    keys: { banned: { plan: 'free', banned: '5m' }, free: { plan: 'free', strikes: 2 } },
  })
  const { keys } = sandboxes.default
  expect(keys.get('banned')?.strikes).toMatchObject({ count: 0, bans: 1, bannedUntil: noon - 250 + 300_000 })
  expect(keys.get('free')?.strikes).toMatchObject({ count: 2, bans: 0, bannedUntil: undefined })
})

it('does not replace the default world when a key names it', () => {
  const { sandboxes } = open()
  const before = sandboxes.default
  sandboxes.find(keyOf('demo-free+default'), noon)
  expect(sandboxes.default).toBe(before)
})

it('ends what tests expect when a world is replaced, and not when it changes', () => {
  const { sandboxes, scenario } = open()
  const expected = sandboxes.expectations.expect(defaultSandbox, 'a-finding', 1)
  sandboxes.keep(sandboxes.default)
  expect(isOpen(expected)).toBe(true)
  sandboxes.keep(createWorld(defaultSandbox, scenario, noon))
  expect(isOpen(expected)).toBe(false)
})

it.each([
  [false, false, true],
  [false, true, false],
  [true, false, true],
  [true, true, false],
])(
  'a file that is read anew keeps what tests expect, unless it resets: called %j, reset %j',
  (isCalled, reset, expected) => {
    const { sandboxes, call } = open()
    if (isCalled) call('demo-free')
    const { nextExchange } = sandboxes.default
    const banned = sandboxes.expectations.expect(defaultSandbox, 'banned', nextExchange)
    sandboxes.adopt(scenarioOf({ limits: { retryAfter: 'http-date' }, reset }), noon)
    expect([isOpen(banned), sandboxes.default.nextExchange]).toEqual([expected, nextExchange])
  },
)

it('drops a sandbox that is not there without a word', () => {
  const { sandboxes } = open()
  sandboxes.drop('nobody', noon)
  expect([sandboxes.names(), sandboxes.dropped.size]).toEqual([['default'], 0])
})

it('shares the pages of its pets with other sandboxes until they change', () => {
  const { sandboxes } = open()
  const pages = ['a', 'a', 'b'].map(name =>
    sandboxes.find(keyOf(`demo-free+${name}`), noon).world.pages.get('', ''),
  )
  expect(pages[1]).toBe(pages[2])
})
