/**
 * A list in pieces, which a fork shares: a piece is copied when one of the two first writes to it. So a fork takes no
 * time, and a first write to it takes the same however long the list is.
 */
export class Chunks<T> {
  #chunks: T[][] = []
  /** Those that no fork shares. */
  #own = new Set<T[]>()
  #shared = false

  get count(): number {
    return this.#chunks.length
  }

  read(number: number): readonly T[] | undefined {
    return this.#chunks[number]
  }

  /** The chunk of this number, to be written to; the number after the last one makes a new chunk. */
  write(number: number): T[] {
    this.#ownList()
    const chunk = this.#chunks[number]
    if (chunk !== undefined && this.#own.has(chunk)) return chunk
    return this.#keep(number, chunk?.slice() ?? [])
  }

  /** Puts chunks in the place of one; none at all removes it. */
  replace(number: number, chunks: readonly T[][]): void {
    this.#ownList()
    this.#chunks.splice(number, 1, ...chunks)
    for (const chunk of chunks) this.#own.add(chunk)
  }

  fork(): Chunks<T> {
    const fork = new Chunks<T>()
    fork.#chunks = this.#chunks
    fork.#shared = true
    this.#shared = true
    return fork
  }

  #keep(number: number, chunk: T[]): T[] {
    this.#chunks[number] = chunk
    this.#own.add(chunk)
    return chunk
  }

  #ownList(): void {
    if (!this.#shared) return
    this.#chunks = this.#chunks.slice()
    this.#own = new Set()
    this.#shared = false
  }
}
