import { type RuleId, ruleIds } from './checks.ts'
import type { CheckRequest, Seen } from './request.ts'
import { sizeOf } from './request.ts'

/** A rule that was broken, with the smallest request that shows it. */
export interface Breakage {
  readonly rule: RuleId
  /** What was seen, as a sentence without its full stop. */
  readonly detail: string
  readonly request: CheckRequest
  /** The answer's; undefined where none came. */
  readonly status: number | undefined
  /** How many calls showed it. */
  readonly count: number
}

/** What was checked in a run, and what was found: one entry for each rule on each route. */
export class Ledger {
  readonly #kept = new Map<RuleId, number>()
  readonly #broken = new Map<string, Breakage>()
  /** The keys of `#broken`, each time that one was. */
  #log: string[] = []

  /** Books that a rule was kept by an answer, or what it was broken by. */
  expect(
    rule: RuleId,
    seen: Pick<Seen, 'request'> & { readonly status?: number },
    complaint: string | false | undefined,
  ): void {
    this.#kept.set(rule, (this.#kept.get(rule) ?? 0) + 1)
    if (typeof complaint !== 'string') return
    const { request, status } = seen
    const key = `${rule} ${request.method} ${routeOf(request.target)}`
    const before = this.#broken.get(key)
    const count = (before?.count ?? 0) + 1
    // Of two of one size the later one: shrinking goes from the stranger to the plainer.
    const isSmaller = before === undefined || sizeOf(request) <= sizeOf(before.request)
    this.#broken.set(
      key,
      isSmaller ? { rule, detail: complaint, request, status, count } : { ...before, count },
    )
    this.#log.push(key)
  }

  /** A place in the order of what was broken. */
  get mark(): number {
    return this.#log.length
  }

  /** What was broken since then, by rule and route. */
  since(mark: number): readonly string[] {
    return this.#log.slice(mark)
  }

  get broken(): readonly Breakage[] {
    return [...this.#broken.values()]
  }

  /** How often each rule was looked at; 0 for those that were not. */
  get checked(): ReadonlyMap<RuleId, number> {
    return new Map(ruleIds.map(rule => [rule, this.#kept.get(rule) ?? 0]))
  }
}

/** `/pets/17?x` as `/pets/{}`: the same fault shows on every id. */
function routeOf(target: string): string {
  const path = target.split('?')[0] ?? ''
  return path.startsWith('/pets/') ? '/pets/{}' : path
}
