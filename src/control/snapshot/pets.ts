import { parseInt64 } from '../../base/json/int64.ts'
import type { Int64 } from '../../base/json/value.ts'
import type { Pet } from '../../service/pets/pet.ts'
import { PetStore } from '../../service/pets/store.ts'
import type { SavedInt64, SavedPet, SavedPetList, SavedPets } from './saved.ts'

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

export function saveInt64(value: Int64): SavedInt64 {
  return typeof value === 'bigint' ? `${value}` : value
}

/** Reads a number or digits. Throws a RangeError if it is not an int64. */
export function readInt64(saved: SavedInt64): Int64 {
  const value = parseInt64(`${saved}`)
  if (value === undefined) throw new RangeError(`A snapshot holds "${saved}" where an int64 belongs.`)
  return value
}
