import { expect, test } from 'vitest'
import type { Command } from '../../../src/control/scenario/file.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import { changing } from '../../support/changes.ts'
import { describeDoors } from '../../support/doors.ts'
import { readLimits } from '../../support/expectations.ts'
import { scenarioOf } from '../../support/scenarios.ts'

describeDoors('worlds that are started anew', open => {
  test('a reset brings back pets, ids, counts, clock and an empty journal', async () => {
    const { emulator, send } = await open()
    const change = changing(emulator)
    const body = { name: 'Rex', categoryId: 1 }
    const first = await send({ method: 'POST', body })
    change({ do: 'advanceClock', by: '1h' })
    change({ do: 'deletePet', id: 1 })
    change({ do: 'deleteKey', key: 'demo-pro' })
    expect(change({ do: 'reset' })).toEqual({ ok: true, changed: { sandboxes: ['default'] } })
    expect([...emulator.sandboxes.default.journal]).toEqual([])
    expect((await send({ key: 'demo-pro', target: '/v1/pets/1' })).status).toBe(200)
    expect(await send({ method: 'POST', body })).toEqual(first)
  })

  test('a reset of one sandbox leaves the others alone; a reset of * resets all', async () => {
    const { emulator, send } = await open()
    const change = changing(emulator)
    const remaining = async (key: string) => readLimits(await send({ key })).remaining
    for (const key of ['demo-free', 'demo-free+a', 'demo-free+b']) await send({ key })
    change({ do: 'reset' }, 'a')
    expect([
      await remaining('demo-free'),
      await remaining('demo-free+a'),
      await remaining('demo-free+b'),
    ]).toEqual([58, 59, 58])
    expect(change({ do: 'reset' }, '*')).toMatchObject({ changed: { sandboxes: ['default', 'a', 'b'] } })
    expect([
      await remaining('demo-free'),
      await remaining('demo-free+a'),
      await remaining('demo-free+b'),
    ]).toEqual([59, 59, 59])
  })

  test('a scenario without a sandbox is for the default one and for new ones', async () => {
    const { emulator, send } = await open()
    const statusOf = async (key: string) => (await send({ key, target: '/v1/pets/13' })).status
    expect([await statusOf('demo-free'), await statusOf('demo-free+old')]).toEqual([200, 200])
    changing(emulator)({ do: 'useScenario', scenario: 'not-found' })
    expect([
      await statusOf('demo-free'),
      await statusOf('demo-free+old'),
      await statusOf('demo-free+new'),
    ]).toEqual([404, 200, 404])
    changing(emulator)({ do: 'reset' }, 'old')
    expect(await statusOf('demo-free+old')).toBe(200)
  })

  test('a scenario for one sandbox stays there after a reset', async () => {
    const { emulator, send } = await open()
    const change = changing(emulator)
    const statusOf = async (key: string) => (await send({ key, target: '/v1/pets/13' })).status
    change({ do: 'useScenario', scenario: { extends: 'not-found', seed: 7 } }, 'a')
    change({ do: 'reset' }, 'a')
    expect([
      await statusOf('demo-free'),
      await statusOf('demo-free+a'),
      await statusOf('demo-free+b'),
    ]).toEqual([200, 404, 200])
  })

  test('the next call of a dropped sandbox creates it again', async () => {
    const { emulator, send } = await open()
    const change = changing(emulator)
    await send({ key: 'demo-free+a' })
    expect(change({ do: 'deleteSandbox' }, 'a')).toMatchObject({ ok: true })
    expect(emulator.sandboxes.names()).toEqual(['default'])
    expect(change({ do: 'deleteSandbox' }, 'a')).toMatchObject({ refusal: { code: 'not_found' } })
    expect(emulator.sandboxes.names()).toEqual(['default'])
    expect(readLimits(await send({ key: 'demo-free+a' })).remaining).toBe(59)
  })

  test('a sandbox is created once: the second time, nothing in it changes', async () => {
    const { emulator, send } = await open()
    const change = changing(emulator)
    expect(change({ do: 'createSandbox', name: 'a' })).toEqual({ ok: true, changed: { sandboxes: ['a'] } })
    await send({ key: 'demo-free+a' })
    expect(change({ do: 'createSandbox', name: 'a' }, 'b')).toMatchObject({ ok: true })
    expect(emulator.sandboxes.names()).toEqual(['default', 'a'])
    expect(readLimits(await send({ key: 'demo-free+a' })).remaining).toBe(58)
  })

  test('the ids of an emptied journal continue', async () => {
    const { emulator, send } = await open()
    await send()
    changing(emulator)({ do: 'clearRequests' })
    await send()
    expect([...emulator.sandboxes.default.journal].map(({ id }) => id)).toEqual([2])
  })
})

test.each<[Command, string]>([
  [{ do: 'useScenario', scenario: 'bam' }, 'scenario: no shipped scenario is named "bam"; did you mean ban?'],
  [
    { do: 'useScenario', scenario: { extends: 'free-plann' } },
    'scenario.extends: no shipped scenario is named "free-plann"; did you mean free-plan?',
  ],
  [
    { do: 'useScenario', scenario: { clock: { frozen: true, scale: 2 } } },
    'scenario.clock.scale: a frozen clock does not run: remove scale or frozen.',
  ],
])('refused, in every sandbox: %j', (command, message) => {
  const emulator = createEmulator({ scenario: scenarioOf({}), startedAt: 0 })
  const world = emulator.sandboxes.default
  expect(changing(emulator)(command, '*')).toEqual({
    ok: false,
    refusal: { code: 'invalid_command', message },
  })
  expect(emulator.sandboxes.default).toBe(world)
})

test.each(['', 'a b', 'a+b', 'x'.repeat(65), '../a'])('there can be no sandbox %j', name => {
  const emulator = createEmulator({ scenario: scenarioOf({}), startedAt: 0 })
  expect(changing(emulator)({ do: 'reset' }, name)).toMatchObject({ refusal: { code: 'not_found' } })
  expect(emulator.sandboxes.names()).toEqual(['default'])
})

test.each<[string, Command, string?]>([
  ['a key', { do: 'banKey', key: 'demo-free' }],
  ['the clock', { do: 'advanceClock', by: '1s' }],
  ['a pet', { do: 'deletePet', id: 1 }],
  ['a sandbox that is not there yet', { do: 'deletePet', id: 1 }, 'new'],
  ['a world', { do: 'reset' }],
  ['a sandbox that is created', { do: 'createSandbox', name: 'new' }],
  ['a sandbox that is dropped', { do: 'deleteSandbox' }, 'a'],
])('a change raises the revision: %s', (_what, command, sandbox) => {
  const emulator = createEmulator({ scenario: scenarioOf({}), startedAt: 0 })
  changing(emulator)({ do: 'reset' }, 'a')
  const before = emulator.revision()
  expect(emulator.revision()).toBe(before)
  changing(emulator)(command, sandbox)
  expect(emulator.revision()).toBeGreaterThan(before)
})

test('a call raises the revision', () => {
  const { handle, revision } = createEmulator({ scenario: scenarioOf({}), startedAt: 0 })
  const before = revision()
  const headers = ['Host', 'localhost']
  handle({
    method: 'GET',
    target: '/',
    headers,
    body: undefined,
    scheme: 'http',
    client: 'a',
    receivedAt: 0,
  })
  expect(revision()).toBeGreaterThan(before)
})
