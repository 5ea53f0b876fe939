import type { Breach } from './breach.ts'
import type { Exchange } from './exchange.ts'

/**
 * The last exchanges of one sandbox, oldest first: a ring, so that keeping one costs the same however many there were.
 * It keeps them in a form of its owner's, which becomes an exchange when somebody looks.
 */
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

  /** How many are no longer here because newer ones took their place. */
  get evicted(): number {
    return this.#added - this.#ring.length
  }

  /** Whether an older one had to make room. */
  add(kept: Kept): boolean {
    this.#ring[this.#added % this.capacity] = kept
    this.#added += 1
    return this.#added > this.capacity
  }

  /** Notes how an exchange breaks the contract; of as many exchanges as it keeps, the last that were noted. */
  note(id: number, breaches: readonly Breach[]): void {
    this.#breaches.set(id, breaches)
    const [oldest] = this.#breaches.keys()
    if (this.#breaches.size > this.capacity && oldest !== undefined) this.#breaches.delete(oldest)
  }

  /** Forgets all of them, as if none had been added. */
  clear(): void {
    this.#ring.length = 0
    this.#added = 0
    this.#breaches.clear()
  }

  *[Symbol.iterator](): Generator<Exchange> {
    const oldest = this.#added % this.capacity
    const full = this.#ring.length === this.capacity
    for (let index = 0; index < this.#ring.length; index += 1) {
      const kept = this.#ring[full ? (oldest + index) % this.capacity : index]
      if (kept !== undefined) yield this.#withBreaches(this.#read(kept))
    }
  }

  #withBreaches(exchange: Exchange): Exchange {
    const breaches = this.#breaches.get(exchange.id)
    return breaches === undefined ? exchange : { ...exchange, breaches }
  }
}
