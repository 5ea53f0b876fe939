import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readState } from '../../../src/cli/start/state/state-file.ts'
import { createEventRunner } from '../../../src/control/change/run-event.ts'
import type { Shape } from '../../../src/control/fields/field.ts'
import { readSnapshotFile } from '../../../src/control/scenario/read/read-snapshot.ts'
import { snapshot as declared } from '../../../src/control/scenario/settings/snapshot.ts'
import { restoreSandboxes } from '../../../src/control/snapshot/restore.ts'
import { createEmulator } from '../../../src/emulator/emulator.ts'
import type { Exchange } from '../../../src/emulator/journal/exchange.ts'
import { noon, scenarioOf } from '../../support/scenarios.ts'
import { takeSandboxesSnapshot } from '../../support/snapshots.ts'

/*
 * What version 0.1 wrote: the state of a server with two sandboxes, and the snapshot of one sandbox whose clock is ahead. Every
 * later version must restore them: add newer files beside them, and change neither them nor what is expected here.
 */
const folder = 'test/control/snapshot/saved'

async function restored(name: string, startedAt: number) {
  const reading = await readState(name, `${folder}/${name}`, '--state')
  if (!reading.ok || reading.value === undefined) throw new Error(JSON.stringify(reading))
  const emulator = createEmulator({ scenario: scenarioOf({}), startedAt, runEvent: createEventRunner() })
  emulator.sandboxes.replaceAll(...restoreSandboxes(reading.value))
  const exchanges: Exchange[] = []
  emulator.observe(exchange => exchanges.push(exchange))
  const call = (key: string, target = '/v1/pets', body?: object, receivedAt = startedAt) =>
    emulator.handle({
      method: body === undefined ? 'GET' : 'POST',
      target,
      headers: ['Host', 'localhost', 'Authorization', `Bearer ${key}`, 'Content-Type', 'application/json'],
      body: body && new TextEncoder().encode(JSON.stringify(body)),
      scheme: 'http',
      client: '127.0.0.1',
      receivedAt,
    })
  return { emulator, call, exchanges }
}

test('the state file of version 0.1 is restored: clock, keys, windows, bans, pets, rules, events and records', async () => {
  const { emulator, call, exchanges } = await restored('state.json', noon)
  const { sandboxes } = emulator
  const { default: world } = sandboxes
  const statusAndLeft = (key: string, target?: string, body?: object) => {
    const { status, headers } = call(key, target, body)
    return [status, headers['X-RateLimit-Limit'], headers['X-RateLimit-Remaining']]
  }
  expect([sandboxes.names(), sandboxes.dropped.get('gone')]).toEqual([['default', 'w1'], 2])
  expect(world.clock).toMatchObject({ at: Date.parse('2026-03-02T09:00:20Z'), scale: 0 })
  expect(
    world.rules.list().map(({ rule, added, off, acted }) => [rule.name, added, off === true, acted]),
  ).toEqual([
    ['by hand', true, false, 0],
    ['slow lists', false, true, 0],
    ['second create fails', false, false, 1],
    ['teapot', false, false, 0],
  ])
  expect([...world.records.keys()]).toEqual(['/v1/toys'])
  expect(statusAndLeft('tiny')).toEqual([429, '3', '0'])
  expect(statusAndLeft('demo-free')).toEqual([200, '60', '54'])
  expect(statusAndLeft('shared')).toEqual([429, '1000', '0'])
  expect(statusAndLeft('own')).toEqual([200, '5', '4'])
  expect(statusAndLeft('out')).toEqual([401, '60', expect.any(String)])
  expect(statusAndLeft('held')).toEqual([429, '300', '0'])
  expect(statusAndLeft('own+w1')).toEqual([429, '5', '0'])
  expect(call('own+w1').headers.RateLimit).toMatch(/^"minute";r=0;t=\d+$/)
  expect(call('demo-pro', '/v1/pets/2').status).toBe(404)
  expect(call('demo-pro', '/v1/pets/3').body).toContain('"status":"sold"')
  expect(call('demo-pro', '/v1/pets/7').body).toContain('"name":"Rex"')
  expect(call('demo-free', '/v1/pets', { name: 'Rex', categoryId: 2 }).status).toBe(201)
  expect(call('demo-free', '/v1/pets', { name: 'Rex', categoryId: 2 }).status).toBe(503)
  const ids = exchanges.map(({ sandbox, id }) => [sandbox, id])
  expect(ids.slice(0, 2)).toEqual([
    ['default', 15],
    ['default', 16],
  ])
})

test('the snapshot of version 0.1 is restored: its clock keeps its offset', async () => {
  const { clock } = JSON.parse(readFileSync(`${folder}/snapshot.json`, 'utf8'))
  const { call, exchanges } = await restored('snapshot.json', clock.wall + 500)
  const { status, headers } = call('demo-free')
  expect([status, headers['X-RateLimit-Remaining'], exchanges[0]?.id]).toEqual([200, '58', 4])
  expect(exchanges[0]?.skewMs).toBe(180_000)
  expect(Date.parse(headers.Date ?? '')).toBe(Math.floor((clock.wall + 180_500) / 1_000) * 1_000)
})

test('an older version did not say which sandboxes follow the scenario of new ones: those with a scenario of its name do', () => {
  const { sandboxes } = createEmulator({ scenario: scenarioOf({}), startedAt: noon })
  sandboxes.startAnew('same', noon)
  sandboxes.startAnew('other', noon, { ...scenarioOf({ seed: 7 }), name: 'other' })
  const { sandboxes: worlds, ...rest } = takeSandboxesSnapshot(sandboxes)
  const older = { ...rest, sandboxes: worlds.map(({ follows: _follows, ...world }) => world) }
  sandboxes.replaceAll(...restoreSandboxes(older))
  sandboxes.adopt(scenarioOf({ seed: 9 }), noon)
  expect(Array.from(sandboxes, ({ sandbox, scenario }) => [sandbox, scenario.seed])).toEqual([
    ['default', 9],
    ['same', 9],
    ['other', 7],
  ])
})

/** The paths of the fields that have a declared default. */
function defaultsIn(
  shape: Shape,
  value: unknown,
  path: readonly (string | number)[] = [],
): (string | number)[][] {
  if (shape.type === 'chosen') return defaultsIn(shape.choose(value), value, path)
  if (shape.type === 'list')
    return (value as unknown[]).slice(0, 1).flatMap(item => defaultsIn(shape.each, item, [...path, 0]))
  if (shape.type !== 'map') return []
  return Object.entries(shape.fields).flatMap(([name, field]) => {
    const inner = (value as Record<string, unknown>)[name]
    const own = field.default === undefined ? [] : [[...path, name]]
    return inner === undefined ? own : [...own, ...defaultsIn(field.shape, inner, [...path, name])]
  })
}

test('a snapshot without a setting that has a default is that of an older version: it takes the default', async () => {
  const { sandboxes } = createEmulator({
    scenario: scenarioOf({ clock: null, bans: { escalate: {} } }),
    startedAt: noon,
  })
  const whole = JSON.stringify(takeSandboxesSnapshot(sandboxes))
  const paths = defaultsIn(declared, JSON.parse(whole))
  expect(paths.map(path => path.slice(2).join('.'))).toEqual(
    expect.arrayContaining([
      'reset',
      'seed',
      'behaviour.limits.dialect',
      'behaviour.bans.forMs',
      'behaviour.bans.escalate.maxMs',
      'behaviour.deprecation.removedAt',
      'behaviour.deprecation.brownouts',
      'behaviour.pagination',
      'keys.0.revoked',
    ]),
  )
  for (const path of paths) {
    const older = JSON.parse(whole)
    const parent = path.slice(0, -1).reduce((part, name) => part[name], older)
    delete parent[path.at(-1) ?? '']
    const reading = readSnapshotFile('older.json', JSON.stringify(older))
    if (!reading.ok) throw new Error(`${path.join('.')}: ${JSON.stringify(reading.complaints)}`)
    sandboxes.replaceAll(...restoreSandboxes(reading.value))
    expect(JSON.parse(JSON.stringify(takeSandboxesSnapshot(sandboxes)))).toEqual(JSON.parse(whole))
  }
})
