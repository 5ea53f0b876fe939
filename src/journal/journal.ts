import type { Exchange } from './exchange.ts'

const keptBody = 16_384

/** The last exchanges of one sandbox, oldest first: a ring, so that keeping one costs the same however many there were. */
export class Journal {
  readonly capacity: number
  readonly #ring: Exchange[] = []
  #added = 0

  constructor(capacity: number) {
    this.capacity = capacity
  }

  get size(): number {
    return this.#ring.length
  }

  /** How many are no longer here because newer ones took their place. */
  get evicted(): number {
    return this.#added - this.#ring.length
  }

  add(exchange: Exchange): void {
    this.#ring[this.#added % this.capacity] = withShortBodies(exchange)
    this.#added += 1
  }

  *[Symbol.iterator](): Generator<Exchange> {
    const oldest = this.#added % this.capacity
    const full = this.#ring.length === this.capacity
    for (let index = 0; index < this.#ring.length; index += 1) {
      const exchange = this.#ring[full ? (oldest + index) % this.capacity : index]
      if (exchange !== undefined) yield exchange
    }
  }
}

/** Bodies are kept up to 16 KiB: a journal's memory is bounded by its capacity, not by what clients send. */
function withShortBodies(exchange: Exchange): Exchange {
  const { call, reply } = exchange
  const longCall = call.body instanceof Uint8Array && call.body.length > keptBody
  const longReply = reply.body !== undefined && reply.body.length > keptBody
  if (!longCall && !longReply) return exchange
  return {
    ...exchange,
    // A copy, not a view: Node's Buffer.slice would keep the whole body in memory.
    call:
      call.body instanceof Uint8Array
        ? { ...call, body: new Uint8Array(call.body.subarray(0, keptBody)) }
        : call,
    reply: { ...reply, body: reply.body === undefined ? undefined : copyText(reply.body.slice(0, keptBody)) },
  }
}

/** A slice of a string keeps the whole of it in memory; a copy does not. */
function copyText(text: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(text))
}
