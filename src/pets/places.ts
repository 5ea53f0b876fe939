import { addInt64 } from '../json/int64.ts'
import type { Int64 } from '../json/value.ts'
import { Chunks } from './chunks.ts'
import type { Pet, PetStatus } from './pet.ts'

type Slot = string | Int64 | undefined

/** Name, category id and status. */
const slots = 3
const placesInChunk = 1_024

/**
 * Pets by their distance from the first id. Each is three slots of a chunk, not an object of its own: what a page needs
 * of its pets lies together, so that a list over a million of them misses the cache as rarely as one over a thousand.
 */
export class Places {
  readonly #firstId: Int64
  #chunks = new Chunks<Slot>()

  constructor(firstId: Int64) {
    this.#firstId = firstId
  }

  at(place: number): Pet | undefined {
    const chunk = this.#chunks.read(Math.floor(place / placesInChunk))
    if (chunk === undefined) return undefined
    const slot = (place % placesInChunk) * slots
    const name = chunk[slot]
    if (name === undefined) return undefined
    // Written together, just below.
    return {
      id: addInt64(this.#firstId, place),
      name: name as string,
      categoryId: chunk[slot + 1] as Int64,
      status: chunk[slot + 2] as PetStatus | undefined,
    }
  }

  put(place: number, pet: Pet | undefined): void {
    const chunk = this.#chunks.write(Math.floor(place / placesInChunk))
    const slot = (place % placesInChunk) * slots
    chunk[slot] = pet?.name
    chunk[slot + 1] = pet?.categoryId
    chunk[slot + 2] = pet?.status
  }

  /** The places of this many that may differ from those of another: all but those of the chunks that both share. */
  *notSharedWith(other: Places, count: number): Generator<number> {
    for (let number = 0; number < this.#chunks.count; number += 1) {
      if (this.#chunks.read(number) === other.#chunks.read(number)) continue
      const end = Math.min((number + 1) * placesInChunk, count)
      for (let place = number * placesInChunk; place < end; place += 1) yield place
    }
  }

  fork(): Places {
    const fork = new Places(this.#firstId)
    fork.#chunks = this.#chunks.fork()
    return fork
  }
}
