import type { Int64 } from '../../base/json/value.ts'
import { type Chunk, Chunks } from './chunks.ts'
import type { NewPet, Pet } from './pet.ts'
import { countUpTo, evenly } from './search.ts'
import { countOf, distanceAt, petAt, type Slots, slotsOfPet } from './slots.ts'
import { differences } from './walk.ts'

const fullChunk = 256

/**
 * Pets in ascending order of their distance from the first id. Those of a page lie side by side, and are found in two or
 * three looks, so that a list over a million pets takes little longer than one over a thousand.
 */
export class Row {
  readonly #firstId: Int64
  readonly #chunks: Chunks<Slots[number]>
  #size: number

  constructor(firstId: Int64, chunks = new Chunks<Slots[number]>(), size = 0) {
    this.#firstId = firstId
    this.#chunks = chunks
    this.#size = size
  }

  get size(): number {
    return this.#size
  }

  get(distance: number): Pet | undefined {
    const { chunk, above } = this.#find(distance)
    return distanceAt(chunk, above - 1) === distance ? petAt(chunk, above - 1, this.#firstId) : undefined
  }

  /** Adds a pet, or puts it in the place of one. */
  put(distance: number, { name, categoryId, status }: NewPet): void {
    const slots: Slots = [distance, name, categoryId, status]
    const { count } = this.#chunks
    const last = this.#chunks.read(count - 1)
    if (last === undefined || distance > distanceAt(last, countOf(last) - 1)) {
      this.#size += 1
      if (last === undefined || countOf(last) >= fullChunk) this.#chunks.replace(count, [chunkOf(slots)])
      else this.#chunks.write(count - 1).push(...slots)
      return
    }
    const { number, chunk, above } = this.#find(distance)
    const isThere = distanceAt(chunk, above - 1) === distance
    const list = this.#chunks.write(number)
    list.splice((isThere ? above - 1 : above) * slotsOfPet, isThere ? slotsOfPet : 0, ...slots)
    if (isThere) return
    this.#size += 1
    if (countOf(list) > fullChunk) this.#chunks.replace(number, halves(list).map(chunkOf))
  }

  /** Takes away a pet that is there. */
  delete(distance: number): void {
    const { number, chunk, above } = this.#find(distance)
    if (countOf(chunk) === 1) this.#chunks.replace(number, [])
    else this.#chunks.write(number).splice((above - 1) * slotsOfPet, slotsOfPet)
    this.#size -= 1
  }

  /** At most `limit` pets above a distance, and whether there are more. */
  page(distance: number, limit: number): { pets: Pet[]; more: boolean } {
    const pets: Pet[] = []
    let { number, above: index } = this.#find(distance)
    for (; number < this.#chunks.count; number += 1) {
      const chunk = this.#chunks.read(number) ?? []
      const end = Math.min(countOf(chunk), index + limit - pets.length)
      for (; index < end; index += 1) pets.push(petAt(chunk, index, this.#firstId))
      if (index < countOf(chunk)) return { pets, more: true }
      index = 0
    }
    return { pets, more: false }
  }

  /** The pet that is least far from a distance, of two the lower. */
  nearest(distance: number): Pet | undefined {
    const { number, chunk, above } = this.#find(distance)
    const isLast = above === countOf(chunk)
    const after = isLast ? (this.#chunks.read(number + 1) ?? []) : chunk
    const afterIndex = isLast ? 0 : above
    const gap = distance - distanceAt(chunk, above - 1)
    const gapAfter = distanceAt(after, afterIndex) - distance
    if (gap <= gapAfter || (Number.isNaN(gapAfter) && above > 0))
      return petAt(chunk, above - 1, this.#firstId)
    return Number.isNaN(gapAfter) ? undefined : petAt(after, afterIndex, this.#firstId)
  }

  *[Symbol.iterator](): Generator<Pet> {
    for (let number = 0; number < this.#chunks.count; number += 1) {
      const chunk = this.#chunks.read(number) ?? []
      for (let index = 0; index < countOf(chunk); index += 1) yield petAt(chunk, index, this.#firstId)
    }
  }

  /** Each distance at which another row from the same first id has another pet, or at which there is none here. */
  differences(base: Row): ReturnType<typeof differences> {
    return differences(this.#chunks, base.#chunks, this.#firstId)
  }

  fork(): Row {
    return new Row(this.#firstId, this.#chunks.fork(), this.#size)
  }

  /** The last chunk that begins at or below a distance, or the first, and how many of its pets are not above it. */
  #find(distance: number): { number: number; chunk: Readonly<Slots>; above: number } {
    const { froms } = this.#chunks
    const guess = evenly(distance, froms[0] ?? 0, froms.at(-1) ?? 0, froms.length)
    const begun = countUpTo(distance, froms.length, number => froms[number] ?? 0, guess)
    const number = Math.max(0, begun - 1)
    const chunk = this.#chunks.read(number) ?? []
    const count = countOf(chunk)
    const end = froms[begun] ?? distanceAt(chunk, count - 1)
    const near = evenly(distance, froms[number] ?? 0, end, count)
    return { number, chunk, above: countUpTo(distance, count, index => distanceAt(chunk, index), near) }
  }
}

function halves(list: Slots): Slots[] {
  const half = Math.floor(countOf(list) / 2) * slotsOfPet
  return [list.slice(0, half), list.slice(half)]
}

function chunkOf(list: Slots): Chunk<Slots[number]> {
  return { from: distanceAt(list, 0), list }
}
