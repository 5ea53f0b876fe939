import { nextInt64 } from '../json/int64.ts'
import type { Int64 } from '../json/value.ts'
import type { NewPet, Pet, PetStatus } from './pet.ts'

type Order = Record<'all' | PetStatus, number[]>

/**
 * The pets of one world, by id and by status, ascending.
 *
 * Ids are given in sequence, so a pet's place is its distance from the first id: a lookup is one array access,
 * and a page starts where a binary search in its status's own order ends, however many pets there are.
 */
export class PetStore {
  readonly firstId: Int64
  #nextId: Int64
  #places: (Pet | undefined)[] = []
  #order: Order = { all: [], available: [], pending: [], sold: [] }
  #shared = false
  #revision = 0

  constructor(firstId: Int64) {
    this.firstId = firstId
    this.#nextId = firstId
  }

  /** The id that the next pet gets. */
  get nextId(): Int64 {
    return this.#nextId
  }

  get size(): number {
    return this.#order.all.length
  }

  /** Grows with every change, so that what was made from the pets can be told stale. */
  get revision(): number {
    return this.#revision
  }

  get(id: Int64): Pet | undefined {
    return this.#places[this.#placeOf(id)]
  }

  create(pet: NewPet): Pet {
    this.#own()
    const next = nextInt64(this.#nextId)
    const created = { id: this.#nextId, name: pet.name, categoryId: pet.categoryId, status: pet.status }
    const place = this.#places.push(created) - 1
    this.#order.all.push(place)
    if (created.status !== undefined) this.#order[created.status].push(place)
    this.#nextId = next
    this.#revision += 1
    return created
  }

  /** Uses up an id for a pet that is not there (any more). */
  skip(): void {
    this.#own()
    this.#places.push(undefined)
    this.#nextId = nextInt64(this.#nextId)
    this.#revision += 1
  }

  /** At most `limit` pets with an id above `after`, in ascending order, and whether there are more. */
  page(
    status: PetStatus | undefined,
    after: Int64 | undefined,
    limit: number,
  ): { pets: Pet[]; more: boolean } {
    const order = this.#order[status ?? 'all']
    const start = after === undefined ? 0 : firstAbove(order, this.#placeOf(after))
    const end = Math.min(order.length, start + limit)
    const pets: Pet[] = []
    for (let index = start; index < end; index += 1) {
      const pet = this.#places[order[index] ?? -1]
      if (pet !== undefined) pets.push(pet)
    }
    return { pets, more: end < order.length }
  }

  *[Symbol.iterator](): Generator<Pet> {
    for (const place of this.#order.all) {
      const pet = this.#places[place]
      if (pet !== undefined) yield pet
    }
  }

  /** A store of its own with the same pets; they are copied only when one of the two is written to. */
  fork(): PetStore {
    const fork = new PetStore(this.firstId)
    fork.#nextId = this.#nextId
    fork.#places = this.#places
    fork.#order = this.#order
    fork.#shared = true
    this.#shared = true
    return fork
  }

  #own(): void {
    if (!this.#shared) return
    this.#places = this.#places.slice()
    const { all, available, pending, sold } = this.#order
    this.#order = {
      all: all.slice(),
      available: available.slice(),
      pending: pending.slice(),
      sold: sold.slice(),
    }
    this.#shared = false
  }

  #placeOf(id: Int64): number {
    if (typeof id === 'number' && typeof this.firstId === 'number') return id - this.firstId
    return Number(BigInt(id) - BigInt(this.firstId))
  }
}

/** Pets with ids from `firstId` in the given order; an id in `gone` is used up, and nobody has it. */
export function createPetStore(pets: Iterable<NewPet>, firstId: Int64, gone: ReadonlySet<Int64>): PetStore {
  const store = new PetStore(firstId)
  for (const pet of pets) {
    if (gone.size > 0 && gone.has(store.nextId)) store.skip()
    else store.create(pet)
  }
  return store
}

/** Index of the first place in an ascending order that is above `place`. */
function firstAbove(order: readonly number[], place: number): number {
  let low = 0
  let high = order.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((order[middle] ?? 0) <= place) low = middle + 1
    else high = middle
  }
  return low
}
