import { Chunks } from './chunks.ts'

const fullChunk = 1_024

/** Numbers in ascending order: what is above one is found by binary search, in however many. */
export class Order {
  readonly #chunks: Chunks<number>
  #size: number

  constructor(chunks = new Chunks<number>(), size = 0) {
    this.#chunks = chunks
    this.#size = size
  }

  get size(): number {
    return this.#size
  }

  /** Most often above all others, which is the quick case. Must not be there yet. */
  add(number: number): void {
    this.#size += 1
    const last = this.#chunks.read(this.#chunks.count - 1)
    const greatest = last?.at(-1)
    if (last === undefined || greatest === undefined) {
      this.#chunks.write(0).push(number)
    } else if (number > greatest) {
      this.#chunks.write(this.#chunks.count - (last.length < fullChunk ? 1 : 0)).push(number)
    } else {
      this.#insert(number)
    }
  }

  #insert(number: number): void {
    const place = this.#chunkOf(number)
    const chunk = this.#chunks.write(place)
    chunk.splice(firstAbove(chunk, number), 0, number)
    if (chunk.length <= fullChunk) return
    const half = chunk.length >>> 1
    this.#chunks.replace(place, [chunk.slice(0, half), chunk.slice(half)])
  }

  /** Must be there. */
  delete(number: number): void {
    this.#size -= 1
    const place = this.#chunkOf(number)
    const chunk = this.#chunks.write(place)
    if (chunk.length === 1) this.#chunks.replace(place, [])
    else chunk.splice(firstAbove(chunk, number) - 1, 1)
  }

  /** The first of those above `number`, `most` at most. */
  above(number: number, most: number): number[] {
    const found: number[] = []
    let place = this.#chunkOf(number)
    let chunk = this.#chunks.read(place)
    let index = chunk === undefined ? 0 : firstAbove(chunk, number)
    for (; chunk !== undefined && found.length < most; chunk = this.#chunks.read(place)) {
      for (const next of chunk.slice(index, index + most - found.length)) found.push(next)
      place += 1
      index = 0
    }
    return found
  }

  /** The one that is least far from `number`, of two the lower. */
  nearest(number: number): number | undefined {
    const chunk = this.#chunks.read(this.#chunkOf(number)) ?? []
    const below = chunk[firstAbove(chunk, number) - 1]
    const [above] = this.above(number, 1)
    if (below === undefined || above === undefined) return below ?? above
    return number - below <= above - number ? below : above
  }

  *[Symbol.iterator](): Generator<number> {
    for (let place = 0; place < this.#chunks.count; place += 1) yield* this.#chunks.read(place) ?? []
  }

  fork(): Order {
    return new Order(this.#chunks.fork(), this.#size)
  }

  /** The last chunk that begins at or below `number`, or the first. */
  #chunkOf(number: number): number {
    let low = 0
    let high = this.#chunks.count
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#chunks.read(middle)?.[0] ?? 0) <= number) low = middle + 1
      else high = middle
    }
    return Math.max(0, low - 1)
  }
}

/** Index of the first number in an ascending list that is above `number`. */
function firstAbove(list: readonly number[], number: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] ?? 0) <= number) low = middle + 1
    else high = middle
  }
  return low
}
