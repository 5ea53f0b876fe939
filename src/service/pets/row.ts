import { toInt64 } from '../../base/json/int64.ts'
import type { Int64 } from '../../base/json/value.ts'
import { Chunks, countOf, distanceAt, petAt, type Slots, slotsOfPet, statusSlot } from './chunks.ts'
import { isSamePet, type Pet } from './pet.ts'
import { countUpTo, evenly } from './search.ts'

const fullChunk = 256

/**
 * Pets in ascending order of their ids. The pets of a page lie side by side, and a search takes two or three looks, so
 * a list over a million pets takes little longer than one over a thousand.
 */
export class Row {
  readonly #firstId: Int64
  readonly #chunks: Chunks
  #size: number

  constructor(firstId: Int64, chunks = new Chunks(), size = 0) {
    this.#firstId = firstId
    this.#chunks = chunks
    this.#size = size
  }

  get size(): number {
    return this.#size
  }

  get(id: Int64): Pet | undefined {
    const { chunk, above, distance } = this.#find(id)
    return distanceAt(chunk, above - 1) === distance ? petAt(chunk, above - 1, this.#firstId) : undefined
  }

  /** Adds a pet, or replaces the one with its id. Whether it comes after all others. */
  put(pet: Pet): boolean {
    const { id, name, categoryId } = pet
    const distance = this.#distanceOf(id)
    const status = statusSlot(pet)
    const count = this.#chunks.lists.length
    const last = this.#chunks.lists[count - 1]
    if (last === undefined || distance > distanceAt(last, countOf(last) - 1)) {
      this.#size += 1
      if (last === undefined || countOf(last) >= fullChunk)
        this.#chunks.replace(count, [[distance, name, categoryId, status]])
      else this.#chunks.write(count - 1).push(distance, name, categoryId, status)
      return true
    }
    const { number, chunk, above } = this.#find(id)
    const isThere = distanceAt(chunk, above - 1) === distance
    const list = this.#chunks.write(number)
    const at = (isThere ? above - 1 : above) * slotsOfPet
    list.splice(at, isThere ? slotsOfPet : 0, distance, name, categoryId, status)
    if (isThere) return false
    this.#size += 1
    if (countOf(list) <= fullChunk) return false
    const half = Math.floor(countOf(list) / 2) * slotsOfPet
    this.#chunks.replace(number, [list.slice(0, half), list.slice(half)])
    return false
  }

  delete(id: Int64): void {
    const { number, chunk, above } = this.#find(id)
    if (countOf(chunk) === 1) this.#chunks.replace(number, [])
    else this.#chunks.write(number).splice((above - 1) * slotsOfPet, slotsOfPet)
    this.#size -= 1
  }

  /** At most `limit` pets with an id above `after`, and whether there are more. */
  page(after: Int64 | undefined, limit: number): { pets: Pet[]; more: boolean } {
    const pets: Pet[] = []
    let { number, above: index } = after === undefined ? { number: 0, above: 0 } : this.#find(after)
    const { lists } = this.#chunks
    for (; number < lists.length; number += 1) {
      const chunk = lists[number] ?? []
      const end = Math.min(countOf(chunk), index + limit - pets.length)
      for (; index < end; index += 1) pets.push(petAt(chunk, index, this.#firstId))
      if (index < countOf(chunk)) return { pets, more: true }
      index = 0
    }
    return { pets, more: false }
  }

  /** The same with the ids below `after`, in descending order. */
  pageDown(after: Int64 | undefined, limit: number): { pets: Pet[]; more: boolean } {
    const pets: Pet[] = []
    const { lists } = this.#chunks
    let number = lists.length - 1
    let left = countOf(lists[number] ?? [])
    if (after !== undefined) {
      const found = this.#find(after)
      number = found.number
      const isThere = distanceAt(found.chunk, found.above - 1) === found.distance
      left = isThere ? found.above - 1 : found.above
    }
    for (; number >= 0; number -= 1, left = countOf(lists[number] ?? [])) {
      for (; left > 0; left -= 1) {
        if (pets.length === limit) return { pets, more: true }
        pets.push(petAt(lists[number] ?? [], left - 1, this.#firstId))
      }
    }
    return { pets, more: false }
  }

  nearest(id: Int64): Pet | undefined {
    const { number, chunk, above } = this.#find(id)
    // A chunk whose first pets were deleted still begins where they were: the pet below is in the chunk before.
    const list = above > 0 ? chunk : (this.#chunks.lists[number - 1] ?? [])
    const last = (above > 0 ? above : countOf(list)) - 1
    const before = last < 0 ? undefined : petAt(list, last, this.#firstId)
    const [after] = this.page(id, 1).pets
    if (before === undefined || after === undefined) return before ?? after
    const isLower = BigInt(id) - BigInt(before.id) <= BigInt(after.id) - BigInt(id)
    return isLower ? before : after
  }

  *[Symbol.iterator](): Generator<Pet> {
    yield* this.#petsOf(this.#chunks.lists)
  }

  /** Each id, ascending, that has another pet here than in a row with the same first id; undefined: it has none here. */
  *differences(base: Row): Generator<{ readonly id: Int64; readonly pet: Pet | undefined }> {
    const theirs = base.#petsNotIn(this)
    let other = theirs.next().value
    for (const pet of this.#petsNotIn(base)) {
      for (; other !== undefined && other.id < pet.id; other = theirs.next().value)
        yield { id: other.id, pet: undefined }
      const isThere = other?.id === pet.id
      if (!isThere || !isSamePet(pet, other)) yield { id: pet.id, pet }
      if (isThere) other = theirs.next().value
    }
    for (; other !== undefined; other = theirs.next().value) yield { id: other.id, pet: undefined }
  }

  fork(): Row {
    return new Row(this.#firstId, this.#chunks.fork(), this.#size)
  }

  /** The pets of the chunks that another row does not share: only they can differ. */
  #petsNotIn(other: Row): Generator<Pet, undefined> {
    const shared = new Set(other.#chunks.lists)
    return this.#petsOf(this.#chunks.lists.filter(list => !shared.has(list)))
  }

  *#petsOf(lists: readonly Readonly<Slots>[]): Generator<Pet, undefined> {
    for (const list of lists) {
      for (let index = 0; index < countOf(list); index += 1) yield petAt(list, index, this.#firstId)
    }
  }

  /** The last chunk that begins at or below an id, or the first, and how many of its pets are not above that id. */
  #find(id: Int64): { number: number; chunk: Readonly<Slots>; above: number; distance: Int64 } {
    const distance = this.#distanceOf(id)
    const { froms, lists } = this.#chunks
    const guess = evenly(distance, froms[0] ?? 0, froms.at(-1) ?? 0, froms.length)
    const begun = countUpTo(distance, froms.length, number => froms[number] ?? 0, guess)
    const number = Math.max(0, begun - 1)
    const chunk = lists[number] ?? []
    const count = countOf(chunk)
    const end = froms[begun] ?? distanceAt(chunk, count - 1)
    const near = evenly(distance, froms[number] ?? 0, end, count)
    const above = countUpTo(distance, count, index => distanceAt(chunk, index), near)
    return { number, chunk, above, distance }
  }

  #distanceOf(id: Int64): Int64 {
    if (typeof id === 'number' && typeof this.#firstId === 'number') return id - this.#firstId
    const distance = BigInt(id) - BigInt(this.#firstId)
    return toInt64(distance) ?? distance
  }
}
