import type { Breach, Exchange } from './exchange.ts'

/** The last exchanges of one sandbox, oldest first. `read` makes an exchange of a kept value when somebody looks. */
export class Journal<Kept> {
  readonly capacity: number
  readonly #read: (kept: Kept) => Exchange
  readonly #ring: Kept[] = []
  #added = 0
  readonly #breaches = new Map<number, readonly Breach[]>()

  constructor(capacity: number, read: (kept: Kept) => Exchange) {
    this.capacity = capacity
    this.#read = read
  }

  get size(): number {
    return this.#ring.length
  }

  /** How many were dropped for newer ones. */
  get evicted(): number {
    return this.#added - this.#ring.length
  }

  /** Returns whether it dropped an older one. */
  add(kept: Kept): boolean {
    this.#ring[this.#added % this.capacity] = kept
    this.#added += 1
    return this.#added > this.capacity
  }

  /** Adds the breaches of an exchange. It keeps those of the last `capacity` exchanges with breaches. */
  note(id: number, breaches: readonly Breach[]): void {
    this.#breaches.set(id, breaches)
    const [oldest] = this.#breaches.keys()
    if (this.#breaches.size > this.capacity && oldest !== undefined) this.#breaches.delete(oldest)
  }

  /** Forgets all exchanges and counts. */
  clear(): void {
    this.#ring.length = 0
    this.#added = 0
    this.#breaches.clear()
  }

  *[Symbol.iterator](): Generator<Exchange> {
    // The place after the last one, once the ring is full; else 0.
    const oldest = this.evicted % this.capacity
    for (let index = 0; index < this.#ring.length; index += 1) {
      const kept = this.#ring[(oldest + index) % this.capacity]
      if (kept === undefined) continue
      const exchange = this.#read(kept)
      const breaches = this.#breaches.get(exchange.id)
      yield breaches === undefined ? exchange : { ...exchange, breaches }
    }
  }
}
