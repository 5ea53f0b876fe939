import type { Int64 } from '../../base/json/value.ts'
import type { NewPet } from './pet.ts'
import { PetStore } from './store.ts'

/** Pets with ids from `firstId` in the given order; an id in `gone` is used up, and nobody has it. */
export function createPetStore(pets: Iterable<NewPet>, firstId: Int64, gone: ReadonlySet<Int64>): PetStore {
  const store = new PetStore(firstId)
  for (const pet of pets) {
    if (gone.size > 0 && gone.has(store.nextId)) store.skip()
    else store.create(pet)
  }
  return store
}
