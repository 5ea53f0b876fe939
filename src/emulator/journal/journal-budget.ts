/** What the journals of an emulator may keep. */
export interface JournalLimits {
  /** Calls of one sandbox. 0: nothing is kept. */
  readonly entries: number
  /** Bytes of all sandboxes together, as `costOf` estimates them. */
  readonly bytes: number
}

export const usualJournal: JournalLimits = { entries: 1_000, bytes: 64 * 2 ** 20 }

/** A journal, as the budget sees it. */
export interface Holder {
  /** The bytes that it holds. */
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

  /** Bytes of all journals. */
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
