import { addInt64, parseInt64, toInt64 } from '../../base/json/int64.ts'
import type { Int64 } from '../../base/json/value.ts'
import type { PlanePet } from '../../generated/plane-operations.ts'
import { type Ask, exact } from './ask-plane.ts'
import type { PetControls, StoredPet } from './controls.ts'

/** The page size of the admin plane. */
const maxPage = 100_000

export function createPetControls(ask: Ask): PetControls {
  const list: PetControls['list'] = async ({ status, after, limit } = {}) => {
    const found: StoredPet[] = []
    let last = after
    let more = true
    while (more && (limit === undefined || found.length < limit)) {
      const query = { status, after: last, limit: limit === undefined ? maxPage : limit - found.length }
      const page = await ask('findPets', query)
      for (const pet of page.pets) found.push(readPet(pet))
      last = found.at(-1)?.id
      more = page.more
    }
    return found
  }
  return {
    list,
    get: async id => {
      const wanted = toInt64(typeof id === 'number' ? exact(id, ['id']) : id)
      if (wanted === undefined) return undefined
      // The smallest id has no predecessor.
      const before = wanted === smallest ? {} : { after: addInt64(wanted, -1) }
      const [pet] = await list({ ...before, limit: 1 })
      return pet?.id === wanted ? pet : undefined
    },
    add: async pet => readPet(await ask('addPet', pet)),
    change: async (id, pet) => readPet(await ask('changePet', { ...pet, id })),
    delete: async id => readPet(await ask('deletePet', { id })),
  }
}

const smallest = -(2n ** 63n)

function readPet({ id, name, categoryId, status }: PlanePet): StoredPet {
  return { id: readId(id), name, categoryId: readId(categoryId), ...(status && { status }) }
}

function readId(sent: number | string): Int64 {
  return parseInt64(`${sent}`) ?? 0
}
