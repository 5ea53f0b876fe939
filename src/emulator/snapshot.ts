import { parseInt64 } from '../json/int64.ts'
import type { Int64 } from '../json/value.ts'
import { copyKey } from '../keys/key.ts'
import { copyWindows } from '../limits/limiter.ts'
import { Pages } from '../pets/list-pets.ts'
import { PetStore } from '../pets/store.ts'
import { RuleBook } from '../rules/rule-book.ts'
import type { SavedInt64, WorldSnapshot } from './saved-world.ts'
import type { World } from './world.ts'

export function takeSnapshot(world: World): WorldSnapshot {
  const { pets } = world
  const list = Array.from(pets, ({ id, name, categoryId, status }) => {
    const saved = { id: saveInt64(id), name, categoryId: saveInt64(categoryId) }
    return status === undefined ? saved : { ...saved, status }
  })
  return {
    version: 1,
    scenario: world.scenario.name,
    clock: world.clock,
    pets: { firstId: saveInt64(pets.firstId), nextId: saveInt64(pets.nextId), list },
    keys: Array.from(world.keys.values(), copyKey),
    anonymous: Array.from(world.anonymous, ([client, windows]) => ({
      client,
      windows: copyWindows(windows),
    })),
    rules: world.rules.save(),
    nextExchange: world.nextExchange,
  }
}

/** More ids than this, nobody has used up; a snapshot that skips more would fill the memory. */
const mostIds = 20_000_000

/** Why a world cannot be put back from a snapshot, of which every field has the right kind; undefined when it can. */
export function checkSnapshot({
  version,
  pets: { firstId, nextId, list },
}: WorldSnapshot): string | undefined {
  if (version !== 1) return `its version is ${version}, and only version 1 is read`
  let least = BigInt(firstId)
  const last = BigInt(nextId)
  if (last - least > mostIds) return `its pets use up more than ${mostIds} ids`
  for (const { id } of list) {
    if (BigInt(id) < least) return `its pets are not in the order of their ids: ${id} is out of place`
    least = BigInt(id) + 1n
  }
  return least > last ? `its next id, ${nextId}, is not above the ids of its pets` : undefined
}

/** Puts a world back, whole: a running clock keeps its offset from wall time, a frozen one stands where it stood. */
export function restoreSnapshot(world: World, snapshot: WorldSnapshot): void {
  const pets = restorePets(snapshot.pets)
  world.clock = snapshot.clock
  world.pets = pets
  world.pages = new Pages(pets, world.scenario.behaviour)
  world.keys = new Map(snapshot.keys.map(key => [key.text, copyKey(key)]))
  world.anonymous = new Map(snapshot.anonymous.map(({ client, windows }) => [client, copyWindows(windows)]))
  world.rules = RuleBook.restore(snapshot.rules)
  world.nextExchange = snapshot.nextExchange
}

function restorePets({ firstId, nextId, list }: WorldSnapshot['pets']): PetStore {
  const store = new PetStore(readSavedInt64(firstId))
  const skipTo = (id: Int64) => {
    while (store.nextId < id) store.skip()
  }
  for (const { id, name, categoryId, status } of list) {
    skipTo(readSavedInt64(id))
    store.create({ name, categoryId: readSavedInt64(categoryId), status })
  }
  skipTo(readSavedInt64(nextId))
  return store
}

function saveInt64(value: Int64): SavedInt64 {
  return typeof value === 'bigint' ? `${value}` : value
}

function readSavedInt64(saved: SavedInt64): Int64 {
  const value = parseInt64(`${saved}`)
  if (value === undefined) throw new RangeError(`A snapshot holds "${saved}" where an int64 belongs.`)
  return value
}
