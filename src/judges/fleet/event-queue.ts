/** Events in the order of their instants, as a binary heap. Equal instants keep the order in which they came. */
export class EventQueue<T extends { readonly at: number; order: number }> {
  #heap: T[] = []
  #orders = 0

  add(event: T): void {
    this.#orders += 1
    event.order = this.#orders
    this.#push(event)
  }

  /** Removes the first one. */
  take(): T | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return first
    let place = 0
    for (;;) {
      let next = place * 2 + 1
      let least = heap[next]
      if (least === undefined) break
      const other = heap[next + 1]
      if (other !== undefined && isBefore(other, least)) {
        least = other
        next += 1
      }
      if (isBefore(last, least)) break
      heap[place] = least
      place = next
    }
    heap[place] = last
    return first
  }

  /** Removes those that a test names, in no order. */
  remove(isMeant: (event: T) => boolean): readonly T[] {
    const all = this.#heap
    this.#heap = []
    for (const event of all) if (!isMeant(event)) this.#push(event)
    return all.filter(isMeant)
  }

  #push(event: T): void {
    const heap = this.#heap
    let place = heap.length
    while (place > 0) {
      const parent = (place - 1) >> 1
      const above = heap[parent]
      if (above === undefined || isBefore(above, event)) break
      heap[place] = above
      place = parent
    }
    heap[place] = event
  }
}

type Ordered = { readonly at: number; readonly order: number }

function isBefore(one: Ordered, other: Ordered): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order)
}
