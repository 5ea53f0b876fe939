import type { Breach, Exchange } from './exchange.ts'

/**
 * The last exchanges of one sandbox. `read` makes an exchange of a kept value when somebody looks. It keeps nothing until
 * it joins a budget. An exchange has a place, which grows by one and never comes again, so that a reader who pauses can
 * go on.
 */
export class Journal<Kept extends Pick<Exchange, 'id'>> implements Holder {
  readonly #read: (kept: Kept) => Exchange
  #budget: JournalBudget<Kept> | undefined
  /** A ring, which grows up to the capacity. The entry of a place is at `place % length`. */
  #ring: (Kept | undefined)[] = []
  #costs: number[] = []
  #first = 0
  #end = 0
  /** The place of the first exchange since the journal was cleared. */
  #cleared = 0
  readonly #breaches = new Map<number, readonly Breach[]>()
  bytes = 0
  place = -1

  constructor(read: (kept: Kept) => Exchange) {
    this.#read = read
  }

  /** The most exchanges that it keeps; 0 if it is off. */
  get capacity(): number {
    return this.#budget?.limits.entries ?? 0
  }

  get size(): number {
    return this.#end - this.#first
  }

  get evicted(): number {
    return this.#first - this.#cleared
  }

  /** The place of the oldest exchange, and the place of the next one. */
  get first(): number {
    return this.#first
  }
  get end(): number {
    return this.#end
  }

  join(budget: JournalBudget<Kept>): void {
    this.leave()
    this.#budget = budget
    budget.enter(this)
  }

  /** Keeps nothing more, and counts for no budget. What it holds can still be read. */
  leave(): void {
    this.#budget?.leave(this)
    this.#budget = undefined
  }

  /** An entry that no journal needs: a dropped one, or the one that `add` will drop. The new one may be written into it. */
  reuse(): Kept | undefined {
    if (this.capacity === 0 || this.size < this.capacity) return this.#takeSpare()
    const oldest = this.#ring[this.#end % this.#ring.length]
    if (oldest !== undefined) this.#breaches.delete(oldest.id)
    return oldest
  }

  #takeSpare(): Kept | undefined {
    const budget = this.#budget
    const spare = budget?.spare
    if (budget !== undefined) budget.spare = undefined
    return spare
  }

  /** `cost`: an estimate of the bytes that it takes. */
  add(kept: Kept, cost: number): void {
    const budget = this.#budget
    if (budget === undefined) return
    const { entries } = budget.limits
    if (entries === 0) return
    const size = this.#end - this.#first
    if (size === this.#ring.length && size < entries) this.#grow(entries)
    const index = this.#end % this.#ring.length
    let change = cost
    if (size === entries) {
      // The new entry overwrites the oldest one.
      change -= this.#costs[index] ?? 0
      this.#countDrop(this.#ring[index])
    }
    this.#ring[index] = kept
    this.#costs[index] = cost
    this.#end += 1
    this.bytes += change
    // Most calls take the place of an equal one.
    if (change !== 0) budget.resized(this, change)
  }

  dropOldest(): number {
    if (this.size === 0) return 0
    const index = this.#first % this.#ring.length
    const cost = this.#costs[index] ?? 0
    const oldest = this.#ring[index]
    this.#countDrop(oldest)
    this.#ring[index] = undefined
    if (this.#budget !== undefined) this.#budget.spare = oldest
    this.bytes -= cost
    return cost
  }

  /** Adds the breaches of an exchange, while it is kept. */
  note(id: number, breaches: readonly Breach[]): void {
    if (this.placeOf(id) !== undefined) this.#breaches.set(id, breaches)
  }

  clear(): void {
    const freed = this.bytes
    this.#ring = []
    this.#costs = []
    this.#first = this.#end
    this.#cleared = this.#end
    this.#breaches.clear()
    this.bytes = 0
    this.#budget?.resized(this, -freed)
  }

  /** The exchange at a place, unless it was dropped. */
  at(place: number): Exchange | undefined {
    const kept = this.#kept(place)
    if (kept === undefined) return undefined
    const exchange = this.#read(kept)
    const breaches = this.#breaches.get(exchange.id)
    return breaches === undefined ? exchange : { ...exchange, breaches }
  }

  /** The place of an exchange, unless it was dropped. Ids grow with places. */
  placeOf(id: number): number | undefined {
    let low = this.#first
    let high = this.#end
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if ((this.#kept(middle)?.id ?? 0) < id) low = middle + 1
      else high = middle
    }
    return this.#kept(low)?.id === id ? low : undefined
  }

  *[Symbol.iterator](): Generator<Exchange> {
    const end = this.#end
    for (let place = this.#first; place < end; place += 1) {
      const exchange = this.at(place)
      if (exchange !== undefined) yield exchange
    }
  }

  *newestFirst(): Generator<Exchange> {
    for (let place = this.#end - 1; place >= this.#first; place -= 1) {
      const exchange = this.at(place)
      if (exchange !== undefined) yield exchange
    }
  }

  #kept(place: number): Kept | undefined {
    return place < this.#first || place >= this.#end ? undefined : this.#ring[place % this.#ring.length]
  }

  #countDrop(oldest: Kept | undefined): void {
    if (oldest !== undefined && this.#breaches.size > 0) this.#breaches.delete(oldest.id)
    this.#first += 1
    if (this.#budget !== undefined) this.#budget.evictions += 1
  }

  #grow(most: number): void {
    const before = this.#ring
    const costs = this.#costs
    const length = Math.min(most, Math.max(16, 2 * before.length))
    this.#ring = Array.from({ length }, () => undefined)
    this.#costs = Array.from({ length }, () => 0)
    for (let place = this.#first; place < this.#end; place += 1) {
      this.#ring[place % length] = before[place % before.length]
      this.#costs[place % length] = costs[place % before.length] ?? 0
    }
  }
}

export interface JournalLimits {
  /** Calls of one sandbox. 0: nothing is kept. */
  readonly entries: number
  /** Bytes of all sandboxes together, as `costOf` estimates them. */
  readonly bytes: number
}

export const usualJournal: JournalLimits = { entries: 1_000, bytes: 64 * 2 ** 20 }

/** A journal, as the budget sees it. */
export interface Holder {
  readonly bytes: number
  /** Its place in the budget's heap; -1 while it is in none. */
  place: number
  /** Drops its oldest call. Returns the bytes that this frees; 0: it holds none. */
  readonly dropOldest: () => number
}

/**
 * Shares bytes between journals. Over the limit, the journal that holds most loses its oldest call, so that a busy
 * sandbox costs its own journal first. A binary heap finds that journal, however many there are.
 */
export class JournalBudget<Kept = unknown> {
  readonly limits: JournalLimits
  /** The journals; none holds more than the one at `floor((place - 1) / 2)`. */
  readonly #heap: Holder[] = []
  #bytes = 0
  /** Calls that any journal dropped to make room. */
  evictions = 0
  /** The last entry that a journal dropped: the next call of any journal may be written into it. */
  spare: Kept | undefined

  constructor(limits: JournalLimits = usualJournal) {
    this.limits = limits
  }

  get bytes(): number {
    return this.#bytes
  }

  enter(holder: Holder): void {
    this.#set(holder, this.#heap.length)
    this.resized(holder, holder.bytes)
  }

  leave(holder: Holder): void {
    const last = this.#heap.pop()
    const { place } = holder
    holder.place = -1
    this.#bytes -= holder.bytes
    if (last === undefined || last === holder) return
    this.#set(last, place)
    this.#rise(last)
    this.#sink(last)
  }

  /** A journal grew by some bytes, or shrank if they are negative. */
  resized(holder: Holder, bytes: number): void {
    this.#bytes += bytes
    // Journals that are used in turn hold about as much. The one that grew is then the largest, and keeps its place.
    const before = holder.bytes - bytes
    const most = this.#heap[0]?.bytes ?? 0
    while (this.#bytes > this.limits.bytes && holder.bytes > most) {
      const freed = holder.dropOldest()
      if (freed === 0) return
      this.#bytes -= freed
    }
    if (holder.bytes > before) this.#rise(holder)
    else this.#sink(holder)
    while (this.#bytes > this.limits.bytes) {
      const [most] = this.#heap
      const freed = most?.dropOldest() ?? 0
      if (most === undefined || freed === 0) return
      this.#bytes -= freed
      this.#sink(most)
    }
  }

  #rise(holder: Holder): void {
    while (holder.place > 0) {
      const above = this.#heap[(holder.place - 1) >> 1]
      if (above === undefined || above.bytes >= holder.bytes) return
      this.#swap(holder, above)
    }
  }

  #sink(holder: Holder): void {
    // Reading beyond the end of a list would be slow.
    while (2 * holder.place + 2 <= this.#heap.length) {
      const left = this.#heap[2 * holder.place + 1]
      const next = 2 * holder.place + 2
      const right = next < this.#heap.length ? this.#heap[next] : undefined
      const greater = right !== undefined && left !== undefined && right.bytes > left.bytes ? right : left
      if (greater === undefined || greater.bytes <= holder.bytes) return
      this.#swap(holder, greater)
    }
  }

  #swap(one: Holder, other: Holder): void {
    const { place } = one
    this.#set(one, other.place)
    this.#set(other, place)
  }

  #set(holder: Holder, place: number): void {
    this.#heap[place] = holder
    holder.place = place
  }
}
