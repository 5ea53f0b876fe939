/** Keeps the entries that were set last, so that memory stays bounded. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #most: number
  readonly #onDropped: (value: V) => void

  constructor(most: number, onDropped: (value: V) => void = () => {}) {
    super()
    this.#most = most
    this.#onDropped = onDropped
  }

  /** Makes the entry the newest. */
  override set(key: K, value: V): this {
    this.delete(key)
    super.set(key, value)
    if (this.size <= this.#most) return this
    const [oldest] = this
    if (oldest === undefined) return this
    this.delete(oldest[0])
    this.#onDropped(oldest[1])
    return this
  }
}
