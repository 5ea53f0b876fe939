/** How many calls of one kind there were. */
export interface CallCount {
  /** Undefined if the call was for none. */
  readonly operation: string | undefined
  readonly status: number
  /** Undefined if the call had no known key. */
  readonly plan: string | undefined
  readonly calls: number
}

interface Row extends CallCount {
  calls: number
}

/** Calls by operation, status and plan. Clients repeat their calls, so it tries the last row first. */
export class CallCounts implements Iterable<CallCount> {
  readonly #byStatus = new Map<number, Row[]>()
  #last: Row = { operation: undefined, status: 0, plan: undefined, calls: 0 }
  #total = 0

  get total(): number {
    return this.#total
  }

  add(operation: string | undefined, status: number, plan: string | undefined): void {
    let row = this.#last
    if (row.operation !== operation || row.status !== status || row.plan !== plan) {
      row = this.#rowOf(operation, status, plan)
      this.#last = row
    }
    row.calls += 1
    this.#total += 1
  }

  *[Symbol.iterator](): Generator<CallCount> {
    for (const rows of this.#byStatus.values()) yield* rows
  }

  #rowOf(operation: string | undefined, status: number, plan: string | undefined): Row {
    let rows = this.#byStatus.get(status)
    if (rows === undefined) {
      rows = []
      this.#byStatus.set(status, rows)
    }
    for (const row of rows) if (row.operation === operation && row.plan === plan) return row
    const row = { operation, status, plan, calls: 0 }
    rows.push(row)
    return row
  }
}
