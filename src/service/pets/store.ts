import { addInt64 } from '../../base/json/int64.ts'
import type { Int64 } from '../../base/json/value.ts'
import type { NewPet, Pet, PetStatus } from './pet.ts'
import { Row } from './row.ts'

/** So many ids are left for new pets, so that clients cannot use up all of them, or reach a greater id of the fixtures. */
export const room = 1_000_000_000_000

/** The pets of one world, by id and by status. A fork shares them until it writes. */
export class PetStore {
  readonly firstId: Int64
  #nextId: Int64
  #all: Row
  #byStatus: Readonly<Record<PetStatus, Row>>
  #revision = 0
  #rewrites = 0

  /** Gives the pets ids from `firstId` in their order, without those of `taken`, and leaves out the pets whose ids are in `gone`. */
  constructor(
    firstId: Int64,
    pets: Iterable<NewPet> = [],
    gone: ReadonlySet<Int64> = new Set(),
    taken: Pick<ReadonlySet<Int64>, 'has'> = new Set(),
  ) {
    this.firstId = firstId
    this.#nextId = firstId
    this.#all = new Row(firstId)
    this.#byStatus = { available: new Row(firstId), pending: new Row(firstId), sold: new Row(firstId) }
    for (const pet of pets) {
      while (taken.has(this.#nextId)) this.skip()
      if (gone.has(this.#nextId)) this.skip()
      else this.create(pet)
    }
  }

  get nextId(): Int64 {
    return this.#nextId
  }

  get size(): number {
    return this.#all.size
  }

  /** Grows with every change. */
  get revision(): number {
    return this.#revision
  }

  /** Grows with every change but a new pet that comes after all others. */
  get rewrites(): number {
    return this.#rewrites
  }

  get(id: Int64): Pet | undefined {
    return this.#all.get(id)
  }

  /** The pet with the nearest id; undefined when there are no pets. */
  nearest(id: Int64): Pet | undefined {
    return this.#all.nearest(id)
  }

  create({ name, categoryId, status, extra }: NewPet): Pet {
    const plain = { id: this.#nextId, name, categoryId, status }
    const created = extra === undefined ? plain : { ...plain, extra }
    this.skip()
    if (!this.#add(created)) this.#rewrites += 1
    return created
  }

  skip(): void {
    this.#nextId = addInt64(this.#nextId, 1)
    this.#revision += 1
  }

  /** Uses up all ids below this one. */
  skipTo(id: Int64): void {
    if (this.#nextId >= id) return
    this.#nextId = id
    this.#revision += 1
  }

  /** Adds a pet, or replaces the one with its id. This uses up no id, so the caller must `skipTo` one that no new pet can get. */
  put(pet: Pet): void {
    if (this.get(pet.id) !== undefined) this.replace(pet)
    else {
      this.#rewrite()
      this.#add(pet)
    }
  }

  /** Replaces the pet with this id, which must be there. */
  replace(pet: Pet): void {
    const before = this.get(pet.id)
    if (before === undefined) throw new RangeError(`there is no pet with the id ${pet.id}`)
    this.#rewrite()
    if (before.status !== undefined && before.status !== pet.status)
      this.#byStatus[before.status].delete(pet.id)
    this.#add(pet)
  }

  /** Removes a pet, if it is there; its id stays used up. */
  delete(id: Int64): void {
    const pet = this.get(id)
    if (pet === undefined) return
    this.#rewrite()
    this.#all.delete(id)
    if (pet.status !== undefined) this.#byStatus[pet.status].delete(id)
  }

  /** At most `limit` pets that follow the id `after`, and whether there are more. */
  page(status: PetStatus | undefined, after: Int64 | undefined, limit: number, isDescending = false) {
    const row = status === undefined ? this.#all : this.#byStatus[status]
    return isDescending ? row.pageDown(after, limit) : row.page(after, limit)
  }

  [Symbol.iterator](): Generator<Pet> {
    return this.#all[Symbol.iterator]()
  }

  /** Each id, ascending, that has another pet here than in a store with the same first id; undefined: it has none here. */
  differences(base: PetStore): ReturnType<Row['differences']> {
    return this.#all.differences(base.#all)
  }

  /** Whether this store has the same pets and gives new ones the same ids. */
  equals(other: PetStore): boolean {
    const hasSameIds = this.firstId === other.firstId && this.#nextId === other.nextId
    return hasSameIds && this.differences(other).next().done === true
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

  #rewrite(): void {
    this.#rewrites += 1
    this.#revision += 1
  }

  /** Adds a pet to all and to those of its status, or replaces it there. Whether it comes after all others. */
  #add(pet: Pet): boolean {
    if (pet.status !== undefined) this.#byStatus[pet.status].put(pet)
    return this.#all.put(pet)
  }
}
