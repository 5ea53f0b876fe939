import { addInt64, nextInt64 } from '../json/int64.ts'
import type { Int64 } from '../json/value.ts'
import { Order } from './order.ts'
import { isSamePet, type NewPet, type Pet, type PetStatus, petStatuses } from './pet.ts'
import { Places } from './places.ts'

/**
 * The pets of one world, by id and by status, ascending.
 *
 * Ids are given in sequence, so a pet's place is its distance from the first id: a lookup is two array accesses,
 * and a page starts where a binary search in its status's own order ends, however many pets there are. A fork shares
 * all of it, and copies a thousand places when it is first written to among them.
 */
export class PetStore {
  readonly firstId: Int64
  #nextId: Int64
  #count = 0
  #places: Places
  #all = new Order()
  #byStatus: Record<PetStatus, Order> = { available: new Order(), pending: new Order(), sold: new Order() }
  #revision = 0
  #rewrites = 0

  constructor(firstId: Int64) {
    this.firstId = firstId
    this.#nextId = firstId
    this.#places = new Places(firstId)
  }

  /** The id that the next pet gets. */
  get nextId(): Int64 {
    return this.#nextId
  }

  get size(): number {
    return this.#all.size
  }

  /** Grows with every change, so that what was made from the pets can be told stale. */
  get revision(): number {
    return this.#revision
  }

  /** Grows with every change but a new pet, which comes after all others and leaves what is before it as it was. */
  get rewrites(): number {
    return this.#rewrites
  }

  get(id: Int64): Pet | undefined {
    return this.#places.at(this.#placeOf(id))
  }

  /** The pet whose id is nearest to `id`; undefined when there are none. */
  nearest(id: Int64): Pet | undefined {
    return this.#places.at(this.#all.nearest(this.#placeOf(id)) ?? -1)
  }

  create({ name, categoryId, status }: NewPet): Pet {
    const next = nextInt64(this.#nextId)
    const created = { id: this.#nextId, name, categoryId, status }
    this.#order(this.#append(created, next), status)
    return created
  }

  /** Uses up an id for a pet that is not there (any more). */
  skip(): void {
    this.#append(undefined, nextInt64(this.#nextId))
  }

  /** Uses up all ids below this one. */
  skipTo(id: Int64): void {
    while (this.#nextId < id) this.skip()
  }

  /** Puts a pet where its id belongs, whether or not one is there; all ids below it are used up. */
  put(pet: Pet): void {
    this.skipTo(pet.id)
    if (pet.id === this.#nextId) this.create(pet)
    else if (this.get(pet.id) !== undefined) this.replace(pet)
    else {
      const place = this.#placeOf(pet.id)
      this.#rewrites += 1
      this.#put(place, pet)
      this.#order(place, pet.status)
    }
  }

  /** Puts a pet in the place of the one with its id, which must be there. */
  replace(pet: Pet): void {
    const before = this.get(pet.id)
    if (before === undefined) throw new RangeError(`there is no pet with the id ${pet.id}`)
    const place = this.#placeOf(pet.id)
    this.#rewrites += 1
    this.#put(place, pet)
    if (pet.status !== before.status) {
      if (before.status !== undefined) this.#byStatus[before.status].delete(place)
      if (pet.status !== undefined) this.#byStatus[pet.status].add(place)
    }
  }

  /** Takes a pet away, if it is there; its id stays used up. */
  delete(id: Int64): void {
    const pet = this.get(id)
    if (pet === undefined) return
    const place = this.#placeOf(id)
    this.#rewrites += 1
    this.#put(place, undefined)
    this.#all.delete(place)
    if (pet.status !== undefined) this.#byStatus[pet.status].delete(place)
  }

  /** At most `limit` pets with an id above `after`, in ascending order, and whether there are more. */
  page(
    status: PetStatus | undefined,
    after: Int64 | undefined,
    limit: number,
  ): { pets: Pet[]; more: boolean } {
    const order = status === undefined ? this.#all : this.#byStatus[status]
    const places = order.above(after === undefined ? -1 : this.#placeOf(after), limit + 1)
    const more = places.length > limit
    const pets: Pet[] = []
    for (let index = 0; index < Math.min(limit, places.length); index += 1) {
      const pet = this.#places.at(places[index] ?? -1)
      if (pet !== undefined) pets.push(pet)
    }
    return { pets, more }
  }

  *[Symbol.iterator](): Generator<Pet> {
    for (const place of this.#all) {
      const pet = this.#places.at(place)
      if (pet !== undefined) yield pet
    }
  }

  /**
   * Each id that has another pet here than in a store with the same first id, ascending; undefined: it has none here.
   * What a fork and its origin share is passed over.
   */
  *differences(base: PetStore): Generator<{ readonly id: Int64; readonly pet: Pet | undefined }> {
    for (const place of this.#places.notSharedWith(base.#places, this.#count)) {
      const pet = this.#places.at(place)
      if (!isSamePet(pet, base.#places.at(place))) yield { id: addInt64(this.firstId, place), pet }
    }
  }

  /** A store of its own with the same pets. */
  fork(): PetStore {
    const fork = new PetStore(this.firstId)
    fork.#nextId = this.#nextId
    fork.#count = this.#count
    fork.#places = this.#places.fork()
    fork.#all = this.#all.fork()
    for (const status of petStatuses) fork.#byStatus[status] = this.#byStatus[status].fork()
    return fork
  }

  #append(pet: Pet | undefined, nextId: Int64): number {
    const place = this.#count
    this.#put(place, pet)
    this.#count += 1
    this.#nextId = nextId
    return place
  }

  #order(place: number, status: PetStatus | undefined): void {
    this.#all.add(place)
    if (status !== undefined) this.#byStatus[status].add(place)
  }

  #put(place: number, pet: Pet | undefined): void {
    this.#places.put(place, pet)
    this.#revision += 1
  }

  #placeOf(id: Int64): number {
    if (typeof id === 'number' && typeof this.firstId === 'number') return id - this.firstId
    return Number(BigInt(id) - BigInt(this.firstId))
  }
}
