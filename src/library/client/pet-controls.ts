import { addInt64, parseInt64, toInt64 } from '../../base/json/int64.ts'
import type { Int64 } from '../../base/json/value.ts'
import type { Ask } from './ask-plane.ts'
import type { PetControls, StoredPet } from './controls.ts'

/** As JSON carries it: an id beyond 2^53 is a text. */
type SentPet = Omit<StoredPet, 'id' | 'categoryId'> & Readonly<Record<'id' | 'categoryId', number | string>>

interface SentPets {
  readonly pets: readonly SentPet[]
  /** Whether others follow. */
  readonly more: boolean
}

/** As many as the admin plane gives at once. */
const mostAtOnce = 100_000

export function petControls(ask: Ask): PetControls {
  const listAll: PetControls['list'] = async ({ status, after, limit } = {}) => {
    const found: StoredPet[] = []
    let last = after
    let more = true
    while (more && (limit === undefined || found.length < limit)) {
      const query = { status, after: last, limit: limit === undefined ? mostAtOnce : limit - found.length }
      const page = await ask<SentPets>('GET', '/pets', undefined, query)
      for (const pet of page.pets) found.push(readPet(pet))
      last = found.at(-1)?.id
      more = page.more
    }
    return found
  }
  const one = async (method: string, path: string, body?: object) =>
    readPet(await ask<SentPet>(method, path, body))
  return {
    list: listAll,
    get: async id => {
      // Of all ids, only the least has none before it.
      const before = toInt64(id) === undefined ? undefined : addInt64(id, -1)
      const [pet] = await listAll({ ...(before !== undefined && { after: before }), limit: 1 })
      return pet?.id === id ? pet : undefined
    },
    add: pet => one('POST', '/pets', pet),
    change: (id, pet) => one('PATCH', pathOf(id), pet),
    delete: id => one('DELETE', pathOf(id)),
  }
}

function pathOf(id: Int64): string {
  return `/pets/${encodeURIComponent(`${id}`)}`
}

function readPet({ id, categoryId, ...pet }: SentPet): StoredPet {
  return { id: readSent(id), ...pet, categoryId: readSent(categoryId) }
}

function readSent(sent: number | string): Int64 {
  return parseInt64(`${sent}`) ?? 0
}
