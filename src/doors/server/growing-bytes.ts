/**
 * Joins the chunks of a body. It copies them, because a list of chunks takes far more memory than the body if a client
 * sends it byte by byte.
 */
export class GrowingBytes {
  #bytes: Uint8Array = new Uint8Array()
  #size = 0

  get size(): number {
    return this.#size
  }

  add(chunk: Uint8Array): void {
    const size = this.#size + chunk.length
    if (this.#size === 0) this.#bytes = chunk
    else {
      if (size > this.#bytes.length) this.#grow(size)
      this.#bytes.set(chunk, this.#size)
    }
    this.#size = size
  }

  #grow(size: number): void {
    const larger = Buffer.allocUnsafe(Math.max(size, 2 * this.#size))
    larger.set(this.#bytes.subarray(0, this.#size))
    this.#bytes = larger
  }

  all(): Uint8Array {
    return this.#size === this.#bytes.length ? this.#bytes : this.#bytes.subarray(0, this.#size)
  }
}
