import type { WindowName } from '../../service/limits/limiter.ts'
import { operationAt } from '../../service/operations/routes.ts'
import type { CallContext } from '../gates/call-context.ts'
import type { Decision, Gate } from '../journal/exchange.ts'

/** Upper bounds in seconds, ascending: from an undelayed answer to a long delay. */
const latencyBounds: readonly number[] = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
]

export class Histogram {
  readonly bounds = latencyBounds
  readonly #counts = latencyBounds.map(() => 0)
  count = 0
  sum = 0

  observe(value: number): void {
    this.count += 1
    this.sum += value
    const { bounds } = this
    for (let index = 0; index < bounds.length; index += 1) {
      if (value > (bounds[index] ?? 0)) continue
      this.#counts[index] = (this.#counts[index] ?? 0) + 1
      return
    }
  }

  /** For each bound, how many values were not above it. */
  cumulative(): number[] {
    let sum = 0
    return this.#counts.map(count => {
      sum += count
      return sum
    })
  }
}

const beforeRoute: ReadonlySet<Gate> = new Set(['key', 'ban', 'limit', 'prefer', 'rule', 'failure'])

/** Commands may add and remove rules without end. Further rules are counted together. */
const mostRules = 1_000
const otherRules = 'other rules'

/** Counts of an emulator since its start, over all sandboxes. A reset or a restore does not change them. */
export class Metrics {
  readonly calls = new CallCounts()
  /** Calls over the limit, by the exhausted window. */
  readonly refusals: Record<WindowName, number> = { minute: 0, day: 0 }
  bans = 0
  refusedWhileBanned = 0
  readonly ruleHits = new Map<string, number>()
  /** Seconds from reading a call to writing its reply, injected delays included. A door measures it. */
  readonly latency = new Histogram()
  readonly onLatency = (seconds: number): void => this.latency.observe(seconds)

  /** Counts a call. This runs for every call, so it asks only once for what most calls lack. */
  count(
    { call, target, key }: CallContext,
    { operation, area, answer, gate, limit, intervention }: Decision,
  ): void {
    // A call that was refused before its operation was still for that operation.
    const id =
      operation?.id ??
      area?.id ??
      (beforeRoute.has(gate) || answer.code === 'endpoint_removed'
        ? operationAt(target.path, call.method)
        : undefined)
    this.calls.add(id, answer.status, key?.plan)
    if (intervention?.rules !== undefined) for (const name of intervention.rules) this.#countRule(name)
    if (limit === undefined || limit.accepted) return
    if (gate === 'ban') this.refusedWhileBanned += 1
    else if (answer.code === 'rate_limit_exceeded' || answer.code === 'api_key_banned') {
      this.refusals[limit.reported] += 1
      if (answer.code === 'api_key_banned') this.bans += 1
    }
  }

  #countRule(name: string): void {
    const isCounted = this.ruleHits.has(name) || this.ruleHits.size < mostRules
    const row = isCounted ? name : otherRules
    this.ruleHits.set(row, (this.ruleHits.get(row) ?? 0) + 1)
  }
}

interface CallCount {
  /** Undefined if the call was for none. */
  readonly operation: string | undefined
  readonly status: number
  /** Undefined if the call had no known key. */
  readonly plan: string | undefined
  calls: number
}

/** Calls by operation, status and plan. Clients repeat their calls, so it tries the last row first. */
class CallCounts implements Iterable<Readonly<CallCount>> {
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
