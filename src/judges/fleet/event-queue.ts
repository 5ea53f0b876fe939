interface Entry<T> {
  readonly event: T
  readonly at: number
  readonly order: number
}

/** Events in the order of their instants, as a binary heap. Equal instants keep the order in which they came. */
export class EventQueue<T extends { readonly at: number }> {
  #heap: Entry<T>[] = []
  #orders = 0

  add(event: T): void {
    this.#orders += 1
    this.#push({ event, at: event.at, order: this.#orders })
  }

  /** Removes the first one. */
  take(): T | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return first?.event
    let place = 0
    for (;;) {
      const left = place * 2 + 1
      const [one, other] = [heap[left], heap[left + 1]]
      if (one === undefined) break
      const isOther = other !== undefined && isBefore(other, one)
      const least = isOther ? other : one
      if (isBefore(last, least)) break
      heap[place] = least
      place = isOther ? left + 1 : left
    }
    heap[place] = last
    return first?.event
  }

  /** Removes those that a test names, in no order. */
  remove(isMeant: (event: T) => boolean): readonly T[] {
    const all = this.#heap
    this.#heap = []
    for (const entry of all) if (!isMeant(entry.event)) this.#push(entry)
    return all.map(({ event }) => event).filter(isMeant)
  }

  #push(entry: Entry<T>): void {
    const heap = this.#heap
    let place = heap.length
    while (place > 0) {
      const parent = (place - 1) >> 1
      const above = heap[parent]
      if (above === undefined || isBefore(above, entry)) break
      heap[place] = above
      place = parent
    }
    heap[place] = entry
  }
}

function isBefore<T>(one: Entry<T>, other: Entry<T>): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order)
}
