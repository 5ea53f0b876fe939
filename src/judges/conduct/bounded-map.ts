/** A map that keeps the entries that were put in last, so that what is watched cannot fill the memory. */
export class BoundedMap<K, V> {
  readonly #most: number
  readonly #entries = new Map<K, V>()
  readonly #onDropped: (value: V) => void

  constructor(most: number, onDropped: (value: V) => void = () => {}) {
    this.#most = most
    this.#onDropped = onDropped
  }

  get(key: K): V | undefined {
    return this.#entries.get(key)
  }

  /** Puts it in as the newest. */
  set(key: K, value: V): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size <= this.#most) return
    const [oldest] = this.#entries
    if (oldest === undefined) return
    this.#entries.delete(oldest[0])
    this.#onDropped(oldest[1])
  }

  delete(key: K): void {
    this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }

  values(): IterableIterator<V> {
    return this.#entries.values()
  }

  entries(): IterableIterator<[K, V]> {
    return this.#entries.entries()
  }
}
