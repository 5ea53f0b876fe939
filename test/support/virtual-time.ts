/** Time that passes only when everybody waits. Events of one instant happen in the order in which they were planned. */
export class VirtualTime {
  now: number
  readonly #events: { readonly at: number; readonly act: () => void }[] = []

  constructor(now: number) {
    this.now = now
  }

  after(ms: number, act: () => void): void {
    const at = this.now + Math.max(0, ms)
    const place = this.#events.findIndex(event => event.at > at)
    this.#events.splice(place === -1 ? this.#events.length : place, 0, { at, act })
  }

  readonly sleep = (ms: number): Promise<void> => new Promise(resolve => this.after(ms, resolve))

  /** Runs until nothing is planned any more. */
  async run(): Promise<void> {
    for (let done = 0; done < 20_000; done += 1) {
      await new Promise(resolve => setImmediate(resolve))
      const event = this.#events.shift()
      if (event === undefined) return
      this.now = event.at
      event.act()
    }
    throw new Error('This never ends.')
  }
}
