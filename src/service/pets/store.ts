import { addInt64, nextInt64 } from '../../base/json/int64.ts'
import type { Int64 } from '../../base/json/value.ts'
import type { NewPet, Pet, PetStatus } from './pet.ts'
import { Row } from './row.ts'

/**
 * The pets of one world, by id and by status, ascending.
 *
 * Ids are given in sequence, so that a pet lies where its distance from the first id lets expect it, among all as among
 * those of its status: a lookup takes a few looks, and so does a page, however many pets there are. A fork shares all of
 * it, and copies a thousand pets when it first writes among them.
 */
export class PetStore {
  readonly firstId: Int64
  #nextId: Int64
  #all: Row
  #byStatus: Readonly<Record<PetStatus, Row>>
  #revision = 0
  #rewrites = 0

  constructor(firstId: Int64) {
    this.firstId = firstId
    this.#nextId = firstId
    this.#all = new Row(firstId)
    this.#byStatus = { available: new Row(firstId), pending: new Row(firstId), sold: new Row(firstId) }
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
    return this.#all.get(this.#distanceOf(id))
  }

  /** The pet whose id is nearest to `id`; undefined when there are none. */
  nearest(id: Int64): Pet | undefined {
    return this.#all.nearest(this.#distanceOf(id))
  }

  create({ name, categoryId, status }: NewPet): Pet {
    const created = { id: this.#nextId, name, categoryId, status }
    this.skip()
    this.#add(created)
    return created
  }

  /** Uses up an id for a pet that is not there (any more). */
  skip(): void {
    this.#nextId = nextInt64(this.#nextId)
    this.#revision += 1
  }

  /** Uses up all ids below this one. */
  skipTo(id: Int64): void {
    if (this.#nextId >= id) return
    this.#nextId = id
    this.#revision += 1
  }

  /** Puts a pet where its id belongs, whether or not one is there; all ids below it are used up. */
  put(pet: Pet): void {
    this.skipTo(pet.id)
    if (pet.id === this.#nextId) this.create(pet)
    else if (this.get(pet.id) !== undefined) this.replace(pet)
    else {
      this.#rewrites += 1
      this.#revision += 1
      this.#add(pet)
    }
  }

  /** Puts a pet in the place of the one with its id, which must be there. */
  replace(pet: Pet): void {
    const before = this.get(pet.id)
    if (before === undefined) throw new RangeError(`there is no pet with the id ${pet.id}`)
    this.#rewrites += 1
    this.#revision += 1
    if (before.status !== undefined && before.status !== pet.status)
      this.#byStatus[before.status].delete(this.#distanceOf(pet.id))
    this.#add(pet)
  }

  /** Takes a pet away, if it is there; its id stays used up. */
  delete(id: Int64): void {
    const pet = this.get(id)
    if (pet === undefined) return
    const distance = this.#distanceOf(id)
    this.#rewrites += 1
    this.#revision += 1
    this.#all.delete(distance)
    if (pet.status !== undefined) this.#byStatus[pet.status].delete(distance)
  }

  /** At most `limit` pets with an id above `after`, in ascending order, and whether there are more. */
  page(
    status: PetStatus | undefined,
    after: Int64 | undefined,
    limit: number,
  ): { pets: Pet[]; more: boolean } {
    const row = status === undefined ? this.#all : this.#byStatus[status]
    return row.page(after === undefined ? -1 : this.#distanceOf(after), limit)
  }

  [Symbol.iterator](): Generator<Pet> {
    return this.#all[Symbol.iterator]()
  }

  /**
   * Each id that has another pet here than in a store with the same first id, ascending; undefined: it has none here.
   * What a fork and its origin share is passed over.
   */
  *differences(base: PetStore): Generator<{ readonly id: Int64; readonly pet: Pet | undefined }> {
    for (const { distance, pet } of this.#all.differences(base.#all))
      yield { id: addInt64(this.firstId, distance), pet }
  }

  /** A store of its own with the same pets. */
  fork(): PetStore {
    const fork = new PetStore(this.firstId)
    const { available, pending, sold } = this.#byStatus
    fork.#nextId = this.#nextId
    fork.#all = this.#all.fork()
    fork.#byStatus = { available: available.fork(), pending: pending.fork(), sold: sold.fork() }
    return fork
  }

  /** Among all and among those of its status, where it is not yet or with other fields. */
  #add(pet: Pet): void {
    const distance = this.#distanceOf(pet.id)
    this.#all.put(distance, pet)
    if (pet.status !== undefined) this.#byStatus[pet.status].put(distance, pet)
  }

  #distanceOf(id: Int64): number {
    if (typeof id === 'number' && typeof this.firstId === 'number') return id - this.firstId
    return Number(BigInt(id) - BigInt(this.firstId))
  }
}
