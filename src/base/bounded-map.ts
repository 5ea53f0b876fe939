interface BoundedMapOptions<V> {
  /** The part of the map that may be used now, from 0 to 1. */
  readonly portion?: () => number
  readonly onDropped?: (value: V) => void
}

/** Keeps the entries that were set last, so that memory stays bounded. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #most: number
  readonly #portion: () => number
  readonly #onDropped: (value: V) => void
  /** The number of entries that made room for newer ones. */
  dropped = 0

  constructor(most: number, { portion = () => 1, onDropped = () => {} }: BoundedMapOptions<V> = {}) {
    super()
    this.#most = most
    this.#portion = portion
    this.#onDropped = onDropped
  }

  override set(key: K, value: V): this {
    this.delete(key)
    super.set(key, value)
    const most = this.#most * this.#portion()
    for (const [oldest, dropped] of this) {
      if (this.size <= most) break
      this.delete(oldest)
      this.dropped += 1
      this.#onDropped(dropped)
    }
    return this
  }
}
