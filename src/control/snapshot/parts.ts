import { parseInt64 } from '../../base/json/int64.ts'
import { isJsonArray, isObject, withoutUndefined } from '../../base/json/is-object.ts'
import { readJson } from '../../base/json/read.ts'
import type { Int64, JsonObject, JsonValue } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import type { Scenario, ScenarioEvent } from '../../emulator/worlds/scenario.ts'
import type { Records } from '../../emulator/worlds/world.ts'
import type { EventCommand } from '../../generated/scenario-fields.ts'
import type { Pet } from '../../service/pets/pet.ts'
import { PetStore } from '../../service/pets/store.ts'
import type {
  SavedEvent,
  SavedInt64,
  SavedPet,
  SavedPetList,
  SavedPets,
  SavedRecords,
  SavedScenario,
} from './saved.ts'

/* The parts of a snapshot that hold JSON as text: scenarios, with their orders and events, and records. */

/** A scenario without its pets. */
export function saveScenario(scenario: Scenario): Omit<SavedScenario, 'pets'> {
  const {
    plans,
    keys,
    orders,
    events,
    pets: _pets,
    walkthrough: _walkthrough,
    origin: _origin,
    ...rest
  } = scenario
  return {
    ...rest,
    plans: Array.from(plans, ([name, quota]) => ({ name, ...quota })),
    keys: Array.from(keys, ([text, start]) => ({ text, ...start })),
    ...(events.length > 0 && {
      events: events.map(event => ({
        ...event,
        change: writeJson(withoutUndefined(event.change) as JsonValue),
      })),
    }),
    orders: writeJson(orders),
  }
}

/** Undefined if the text is not a JSON array. */
export function readOrders(text: string): readonly JsonValue[] | undefined {
  const reading = readJson(text)
  return 'value' in reading && isJsonArray(reading.value) ? reading.value : undefined
}

/** The commands were checked with the snapshot. */
export function restoreEvents(saved: readonly SavedEvent[]): readonly ScenarioEvent[] {
  return saved.map(({ after, key, change }) => {
    const reading = readJson(change)
    if ('problem' in reading) throw new RangeError(`An event of a snapshot is no JSON: ${reading.problem}`)
    return { after, key, change: reading.value as unknown as EventCommand }
  })
}

/** The records of a world's collections, as a constant value. */
export function saveRecords(records: ReadonlyMap<string, Records>): readonly SavedRecords[] {
  return Array.from(records, ([path, kept]) => ({
    path,
    nextId: saveInt64(kept.nextId),
    list: writeJson(kept.all()),
  }))
}

/** Restores the records of the open areas. Their collections are created with the first call. */
export function restoreRecords(saved: readonly SavedRecords[]): Map<string, Records> {
  return new Map(
    saved.map(({ path, nextId, list }) => {
      const records = readRecords(list) ?? []
      return [path, { nextId: readInt64(nextId), all: () => records }]
    }),
  )
}

/** Undefined if the text is not a JSON array of objects. */
export function readRecords(text: string): readonly JsonObject[] | undefined {
  // A record may have the deepest nesting, and the list is around it.
  const reading = readJson(text, 1)
  if (!('value' in reading) || !Array.isArray(reading.value)) return undefined
  const isRecords = reading.value.every(isObject)
  return isRecords ? (reading.value as readonly JsonObject[]) : undefined
}

/** The pets of a store. It must not change while the list is read. */
export function savePetList(pets: PetStore): SavedPetList<Iterable<SavedPet>> {
  return { ...idsOf(pets), list: changedPets(pets, new PetStore(pets.firstId)) }
}

/** The pets of a store that differ from `base`. Neither may change while the list is read. */
export function savePets(pets: PetStore, base: PetStore): SavedPets<Iterable<SavedPet>> {
  // After adopting another scenario, a world's ids may not continue those of its scenario.
  const continues = base.firstId === pets.firstId && base.nextId <= pets.nextId
  if (!continues) return { startsFrom: 'nothing', gone: [], ...savePetList(pets) }
  const gone = Array.from(pets.differences(base))
    .filter(({ pet }) => pet === undefined)
    .map(({ id }) => saveInt64(id))
  return { startsFrom: 'scenario', gone, ...idsOf(pets), list: changedPets(pets, base) }
}

/** Restores pets that `checkSnapshot` accepted. `base`: the pets of the scenario. */
export function restorePets(
  { firstId, nextId, list, ...rest }: SavedPetList & Partial<SavedPets>,
  base?: PetStore,
): PetStore {
  const pets =
    base !== undefined && rest.startsFrom === 'scenario' ? base.fork() : new PetStore(readInt64(firstId))
  for (const id of rest.gone ?? []) pets.delete(readInt64(id))
  for (const { id, name, categoryId, status, extra } of list) {
    const plain = { id: readInt64(id), name, categoryId: readInt64(categoryId), status }
    pets.put(extra === undefined ? plain : { ...plain, extra })
  }
  pets.skipTo(readInt64(nextId))
  return pets
}

function idsOf({ firstId, nextId }: PetStore): { firstId: SavedInt64; nextId: SavedInt64 } {
  return { firstId: saveInt64(firstId), nextId: saveInt64(nextId) }
}

function* changedPets(pets: PetStore, base: PetStore): Generator<SavedPet> {
  for (const { pet } of pets.differences(base)) if (pet !== undefined) yield savePet(pet)
}

function savePet({ id, name, categoryId, status, extra }: Pet): SavedPet {
  const saved = { id: saveInt64(id), name, categoryId: saveInt64(categoryId) }
  const whole = status === undefined ? saved : { ...saved, status }
  return extra === undefined ? whole : { ...whole, extra }
}

function saveInt64(value: Int64): SavedInt64 {
  return typeof value === 'bigint' ? `${value}` : value
}

/** Reads a number or digits. Throws a RangeError if it is not an int64. */
function readInt64(saved: SavedInt64): Int64 {
  const value = parseInt64(`${saved}`)
  if (value === undefined) throw new RangeError(`A snapshot holds "${saved}" where an int64 belongs.`)
  return value
}
