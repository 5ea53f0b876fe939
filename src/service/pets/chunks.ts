/** A piece of a list in ascending order. All in it are at or above `from`, all before it below; the first has no bound. */
export interface Chunk<T> {
  readonly from: number
  readonly list: T[]
}

/**
 * A list in pieces, which a fork shares: a piece is copied when one of the two first writes to it. So a fork takes no
 * time, and a first write to it takes the same however long the list is.
 */
export class Chunks<T> {
  #lists: T[][] = []
  /** Beside the lists, not in them: the search for a piece need not look into any. */
  #froms: number[] = []
  /** Those that no fork shares. */
  #own = new Set<T[]>()
  #shared = false

  get count(): number {
    return this.#lists.length
  }

  /** Where each piece begins, ascending. */
  get froms(): readonly number[] {
    return this.#froms
  }

  read(number: number): readonly T[] | undefined {
    return this.#lists[number]
  }

  /** The piece of this number, which must be there, to be written to. */
  write(number: number): T[] {
    this.#ownAll()
    const list = this.#lists[number]
    if (list === undefined) throw new RangeError(`there is no chunk ${number}`)
    if (this.#own.has(list)) return list
    const copy = list.slice()
    this.#lists[number] = copy
    this.#own.add(copy)
    return copy
  }

  /** Puts pieces in the place of one, or behind the last; none at all removes it. */
  replace(number: number, chunks: readonly Chunk<T>[]): void {
    this.#ownAll()
    const gone = this.#lists.splice(number, 1, ...chunks.map(({ list }) => list))
    for (const list of gone) this.#own.delete(list)
    this.#froms.splice(number, 1, ...chunks.map(({ from }) => from))
    for (const { list } of chunks) this.#own.add(list)
  }

  fork(): Chunks<T> {
    const fork = new Chunks<T>()
    fork.#lists = this.#lists
    fork.#froms = this.#froms
    fork.#shared = true
    this.#shared = true
    return fork
  }

  #ownAll(): void {
    if (!this.#shared) return
    this.#lists = this.#lists.slice()
    this.#froms = this.#froms.slice()
    this.#own = new Set()
    this.#shared = false
  }
}
