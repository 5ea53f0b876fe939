import { exactInt64 } from '../../../base/json/int64.ts'
import { petNames } from '../../../generated/pet-names.ts'
import type { PetsFields } from '../../../generated/scenario-fields.ts'
import type { NewPet, PetStatus } from '../../../service/pets/pet.ts'
import { PetStore } from '../../../service/pets/store.ts'
import type { Fixtures } from '../../fixtures/fixtures.ts'
import { createPetMaker } from '../../fixtures/generated-pets.ts'
import { effectivePetCount } from '../effective.ts'

/** Reports progress while many pets are generated: the count so far, and the final one. */
export type OnPetsMade = (made: number, count: number) => void

/** Pets between two reports: a few milliseconds' work. */
const stride = 10_000

/** The store that worlds start with: the fixtures' pets, generated ones up to the count, then the added ones. */
export function settlePets(
  fields: PetsFields,
  seed: number,
  fixtures: Fixtures,
  onPetsMade?: OnPetsMade,
): PetStore {
  const inOrder = petsInOrder(fields, seed, fixtures, onPetsMade)
  const { defaultStatus } = fields
  const pets = defaultStatus ? withStatus(inOrder, defaultStatus) : inOrder
  // A program may write 5n, which a set of numbers does not hold.
  return new PetStore(exactInt64(fields.firstId ?? 1), pets, new Set((fields.gone ?? []).map(exactInt64)))
}

function* petsInOrder(
  fields: PetsFields,
  seed: number,
  fixtures: Fixtures,
  onPetsMade?: OnPetsMade,
): Generator<NewPet> {
  const count = effectivePetCount(fields, fixtures)
  const named = fixtures.pets.slice(0, count)
  yield* named
  const categoryIds = fixtures.categories.map(({ id }) => id)
  const make = createPetMaker(seed, petNames, categoryIds)
  for (let made = named.length; made < count; made += 1) {
    yield make(made - named.length)
    if (made % stride === 0) onPetsMade?.(made, count)
  }
  for (const { name, categoryId, status } of fields.add ?? [])
    yield { name, categoryId: exactInt64(categoryId), status }
}

function* withStatus(pets: Iterable<NewPet>, defaultStatus: PetStatus): Generator<NewPet> {
  for (const pet of pets) yield pet.status === undefined ? { ...pet, status: defaultStatus } : pet
}
