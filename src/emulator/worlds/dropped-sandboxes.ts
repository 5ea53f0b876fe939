/**
 * The next exchange id of each dropped sandbox, the last dropped one last. A sandbox that is created again continues its
 * ids. Only the last `most` are remembered.
 */
export class DroppedSandboxes {
  readonly #nextIds = new Map<string, number>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get nextIds(): ReadonlyMap<string, number> {
    return this.#nextIds
  }

  /** Keeps the greater id, if the sandbox was dropped before. */
  remember(name: string, nextExchange: number): void {
    const next = Math.max(nextExchange, this.#nextIds.get(name) ?? 1)
    this.#nextIds.delete(name)
    this.#nextIds.set(name, next)
    const [oldest] = this.#nextIds.keys()
    if (oldest !== undefined && this.#nextIds.size > this.#most) this.#nextIds.delete(oldest)
  }

  /** Returns the next exchange id of a sandbox, and forgets it. */
  take(name: string): number | undefined {
    const next = this.#nextIds.get(name)
    this.#nextIds.delete(name)
    return next
  }
}
