import { expect, it } from 'vitest'
import { createEmulator } from '../../src/emulator/emulator.ts'
import { createKnownKeys } from '../../src/emulator/worlds/sandboxes.ts'
import { conductContext } from '../../src/judges/conduct/judge-worlds.ts'
import { scenarioOf } from '../support/scenarios.ts'

/** Sandboxes, and what places a further one with a key of its own. */
function sandboxesWithKeys() {
  const { sandboxes, handle } = createEmulator({ scenario: scenarioOf({}), startedAt: 0 })
  const add = (name: string, key: string): void => {
    const world = sandboxes.open(name, 0)
    const [like] = world?.keys.values() ?? []
    if (world === undefined || like === undefined) throw new Error('There is no world to add.')
    world.keys.set(key, like)
    sandboxes.keep(world)
  }
  return { sandboxes, handle, add }
}

it('knows the keys of every sandbox as soon as it is placed', () => {
  const { sandboxes, add } = sandboxesWithKeys()
  const known = createKnownKeys(sandboxes)
  expect([known.has('demo-free'), known.has('own-0')]).toEqual([true, false])
  for (let index = 0; index < 50; index += 1) {
    add(`worker-${index}`, `own-${index}`)
    expect([known.has(`own-${index}`), known.has(`own-${index + 1}`)]).toEqual([true, false])
  }
})

it('looks into the worlds again after a change only, until that costs as much as a new set', () => {
  const { sandboxes, add } = sandboxesWithKeys()
  let looks = 0
  const counting = {
    get changes() {
      return sandboxes.changes
    },
    *[Symbol.iterator]() {
      for (const world of sandboxes) {
        looks += 1
        yield world
      }
    },
  } as unknown as typeof sandboxes
  const known = createKnownKeys(counting)
  const looksOf = (text: string) => {
    const before = looks
    known.has(text)
    return looks - before
  }
  const keys = sandboxes.default.keys.size
  expect([looksOf('unknown'), looksOf('unknown'), looksOf('demo-free')]).toEqual([1, 0, 0])
  add('worker', 'own')
  // One look for each world, until they are as many as the keys; then a new set, and no more.
  const costs = Array.from({ length: keys + 2 }, () => looksOf('unknown'))
  const before = Math.ceil(keys / 2)
  expect(costs).toEqual(costs.map((_, index) => (index <= before ? 2 : 0)))
  expect(known.has('own')).toBe(true)
})

it('lets conduct mask the keys of all sandboxes', () => {
  const { sandboxes, handle, add } = sandboxesWithKeys()
  add('worker-1', 'key-of-worker-1')
  const headers = ['Host', '127.0.0.1', 'Authorization', 'Bearer demo-free']
  handle({
    method: 'GET',
    target: '/v1/pets/key-of-worker-1',
    headers,
    body: undefined,
    scheme: 'http',
    receivedAt: 0,
    client: 'a',
  })
  const [exchange] = sandboxes.default.journal
  const context = conductContext(name => sandboxes.get(name), sandboxes)
  expect(exchange && context.textOf(exchange)(exchange.call.target)).toBe('/v1/pets/key-of…')
})
