/** How many calls of one kind there were. */
interface CallCount {
  /** Undefined if the call was for none. */
  readonly operation: string | undefined
  readonly status: number
  /** Undefined if the call had no known key. */
  readonly plan: string | undefined
  calls: number
}

/** Calls by operation, status and plan. Clients repeat their calls, so it tries the last row first. */
export class CallCounts implements Iterable<Readonly<CallCount>> {
  readonly #rows: CallCount[] = []
  #last: CallCount = { operation: undefined, status: 0, plan: undefined, calls: 0 }
  total = 0

  add(operation: string | undefined, status: number, plan: string | undefined): void {
    let row = this.#last
    if (row.operation !== operation || row.status !== status || row.plan !== plan) {
      row = this.#rowOf(operation, status, plan)
      this.#last = row
    }
    row.calls += 1
    this.total += 1
  }

  [Symbol.iterator](): Iterator<Readonly<CallCount>> {
    return this.#rows.values()
  }

  #rowOf(operation: string | undefined, status: number, plan: string | undefined): CallCount {
    for (const row of this.#rows)
      if (row.status === status && row.operation === operation && row.plan === plan) return row
    const row = { operation, status, plan, calls: 0 }
    this.#rows.push(row)
    return row
  }
}
