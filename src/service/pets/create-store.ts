import type { Int64 } from '../../base/json/value.ts'
import type { NewPet } from './pet.ts'
import { PetStore } from './store.ts'

/** Gives pets ids from `firstId` in their order, and leaves out the ids in `gone`. */
export function createPetStore(pets: Iterable<NewPet>, firstId: Int64, gone: ReadonlySet<Int64>): PetStore {
  const store = new PetStore(firstId)
  for (const pet of pets) {
    if (gone.size > 0 && gone.has(store.nextId)) store.skip()
    else store.create(pet)
  }
  return store
}
