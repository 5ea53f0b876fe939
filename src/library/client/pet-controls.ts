import { addInt64, parseInt64, toInt64 } from '../../base/json/int64.ts'
import type { Int64 } from '../../base/json/value.ts'
import { type Ask, exact } from './ask-plane.ts'
import type { PetControls, StoredPet } from './controls.ts'

/** A pet in JSON: ids beyond 2^53 are strings. */
type SentPet = Omit<StoredPet, 'id' | 'categoryId'> & Readonly<Record<'id' | 'categoryId', number | string>>

interface SentPets {
  readonly pets: readonly SentPet[]
  /** Whether a next page exists. */
  readonly more: boolean
}

/** The page size of the admin plane. */
const maxPage = 100_000

export function createPetControls(ask: Ask): PetControls {
  const list: PetControls['list'] = async ({ status, after, limit } = {}) => {
    const found: StoredPet[] = []
    let last = typeof after === 'number' ? exact(after, ['after']) : after
    let more = true
    while (more && (limit === undefined || found.length < limit)) {
      const query = { status, after: last, limit: limit === undefined ? maxPage : limit - found.length }
      const page = await ask<SentPets>('GET', '/pets', undefined, query)
      for (const pet of page.pets) found.push(readPet(pet))
      last = found.at(-1)?.id
      more = page.more
    }
    return found
  }
  const send = async (method: string, path: string, body?: object) =>
    readPet(await ask<SentPet>(method, path, body))
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
    add: pet => send('POST', '/pets', pet),
    change: async (id, pet) => send('PATCH', pathOf(id), pet),
    delete: async id => send('DELETE', pathOf(id)),
  }
}

const smallest = -(2n ** 63n)

function pathOf(id: Int64): string {
  return `/pets/${encodeURIComponent(`${typeof id === 'number' ? exact(id, ['id']) : id}`)}`
}

function readPet({ id, categoryId, ...pet }: SentPet): StoredPet {
  return { id: readId(id), ...pet, categoryId: readId(categoryId) }
}

function readId(sent: number | string): Int64 {
  return parseInt64(`${sent}`) ?? 0
}
