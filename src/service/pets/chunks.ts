import { addInt64 } from '../../base/json/int64.ts'
import type { Int64 } from '../../base/json/value.ts'
import type { Pet, PetStatus } from './pet.ts'

/**
 * Pets in memory: of each its distance from the first id, name, category id and status, side by side. Objects would be
 * scattered, and reading a page of them would miss the processor's cache. A pet with extra members has an object instead
 * of its status.
 */
export type Slots = (string | Int64 | undefined | Pick<Pet, 'status' | 'extra'>)[]

export const slotsOfPet = 4

export function countOf(list: Readonly<Slots>): number {
  return list.length / slotsOfPet
}

export function petAt(list: Readonly<Slots>, index: number, firstId: Int64): Pet {
  const slot = index * slotsOfPet
  const status = list[slot + 3]
  // Written together, in this order.
  const pet = {
    id: addInt64(firstId, list[slot] as Int64),
    name: list[slot + 1] as string,
    categoryId: list[slot + 2] as Int64,
    status: status as PetStatus | undefined,
  }
  return typeof status === 'object' ? { ...pet, ...status } : pet
}

export function statusSlot({ status, extra }: Pet): Slots[number] {
  return extra === undefined ? status : { status, extra }
}

/** NaN where there is no pet. */
export function distanceAt(list: Readonly<Slots>, index: number): Int64 {
  const distance = list[index * slotsOfPet]
  return typeof distance === 'number' || typeof distance === 'bigint' ? distance : Number.NaN
}

/**
 * An ascending list of pets in chunks, which forks share: a chunk is copied at the first write to it. So a fork takes no
 * time, and a first write takes the same however many pets there are.
 */
export class Chunks {
  #lists: Slots[] = []
  /** The lowest distance of each chunk; the first one has no bound. Apart, so that a search reads no chunk. */
  #froms: Int64[] = []
  #own = new Set<Slots>()
  #isShared = false

  get lists(): readonly Readonly<Slots>[] {
    return this.#lists
  }

  get froms(): readonly Int64[] {
    return this.#froms
  }

  /** A chunk to write to, which must be there. */
  write(number: number): Slots {
    this.#ownLists()
    const list = this.#lists[number]
    if (list === undefined) throw new RangeError(`there is no chunk ${number}`)
    if (this.#own.has(list)) return list
    const copy = list.slice()
    this.#lists[number] = copy
    this.#own.add(copy)
    return copy
  }

  /** Replaces a chunk, or appends behind the last one; no list removes it. */
  replace(number: number, lists: readonly Slots[]): void {
    this.#ownLists()
    for (const list of this.#lists.splice(number, 1, ...lists)) this.#own.delete(list)
    this.#froms.splice(number, 1, ...lists.map(list => distanceAt(list, 0)))
    for (const list of lists) this.#own.add(list)
  }

  fork(): Chunks {
    const fork = new Chunks()
    fork.#lists = this.#lists
    fork.#froms = this.#froms
    fork.#isShared = true
    this.#isShared = true
    return fork
  }

  #ownLists(): void {
    if (!this.#isShared) return
    this.#lists = this.#lists.slice()
    this.#froms = this.#froms.slice()
    this.#own = new Set()
    this.#isShared = false
  }
}
