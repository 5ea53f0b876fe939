import { exactInt64 } from '../../base/json/int64.ts'
import type { Int64 } from '../../base/json/value.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import type { PetsFields } from '../../generated/scenario-fields.ts'
import type { PetStore } from '../../service/pets/store.ts'
import type { Fixtures } from '../fixtures/fixtures.ts'
import { settlePets } from '../scenario/settle/settle-pets.ts'

/** The largest store that has a situation. A snapshot takes any number. */
export const mostPets = 100_000
/** The most pets that a file writes out. */
const mostAdded = 10_000

/**
 * The pets of a store, as a scenario file has them: those that the fixtures and the seed give, as long as they are the same,
 * and all later ones written out. Undefined: they are too many.
 */
export function petFields(
  store: PetStore,
  { seed, behaviour }: Pick<Scenario, 'seed' | 'behaviour'>,
  fixtures: Fixtures,
): PetsFields | undefined {
  const { firstId, nextId } = store
  const ids = Number(BigInt(nextId) - BigInt(firstId))
  if (ids > mostPets) return undefined
  const { defaultStatus } = behaviour
  const setting = { firstId: firstId as PetsFields['firstId'], ...(defaultStatus && { defaultStatus }) }
  const usual = settlePets({ count: ids, ...setting }, seed, fixtures)
  const gone: Int64[] = []
  let count = ids
  for (const { id, pet } of store.differences(usual)) {
    if (pet === undefined) gone.push(id)
    else {
      count = Number(BigInt(id) - BigInt(firstId))
      break
    }
  }
  if (ids - count > mostAdded) return undefined
  const add = Array.from({ length: ids - count }, (_, index) => {
    const id = exactInt64(BigInt(firstId) + BigInt(count + index))
    const pet = store.get(id)
    if (pet === undefined) gone.push(id)
    const { name, categoryId, status } = pet ?? nobody
    return { name, categoryId, ...(status && { status }) }
  })
  return {
    count,
    ...setting,
    ...(gone.length > 0 && { gone }),
    ...(add.length > 0 && { add }),
  } as PetsFields
}

/** Takes the place of a deleted pet, whose id is used up. */
const nobody = { name: 'deleted', categoryId: 1, status: undefined }
