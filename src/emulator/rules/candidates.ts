import type { Facts, Matcher } from './match.ts'

/** Of one key, what may fit each method and target. A key's plan can change. */
interface Known<T> {
  readonly plan: string
  readonly byMethod: Map<string, Map<string, readonly T[]>>
}

interface Asked<T> extends Pick<Facts, 'key' | 'plan' | 'method' | 'target'> {
  readonly found: readonly T[]
}

const mostKept = 1_000
const longestKept = 256

/**
 * The rules that may fit a call, as far as its key, method and target tell. Clients ask for the same few targets again
 * and again, so this is found out once for each: rules that do not fit a call cost it next to nothing, however many.
 */
export class Candidates<T extends { readonly matcher: Matcher }> {
  readonly #all: readonly T[]
  readonly #known = new Map<string, Known<T>>()
  #kept = 0
  /** Of the call before this one: most often the same is asked again, and to compare costs less than to look up. */
  #last: Asked<T> | undefined

  constructor(all: readonly T[]) {
    this.#all = all
  }

  of(facts: Facts): readonly T[] {
    const { key, plan, method, target } = facts
    const last = this.#last
    if (
      last !== undefined &&
      last.key === key &&
      last.plan === plan &&
      last.method === method &&
      last.target === target
    )
      return last.found
    const found = this.#find(facts)
    this.#last = { key, plan, method, target, found }
    return found
  }

  #find(facts: Facts): readonly T[] {
    const byTarget = this.#targetsOf(facts)
    const known = byTarget.get(facts.target)
    if (known !== undefined) return known
    const found = this.#all.filter(({ matcher }) => matcher.fitsHead(facts))
    if (facts.target.length > longestKept) return found
    if (this.#kept >= mostKept) {
      this.#known.clear()
      this.#kept = 0
    }
    this.#kept += 1
    byTarget.set(facts.target, found)
    return found
  }

  #targetsOf({ key, plan, method }: Facts): Map<string, readonly T[]> {
    let known = this.#known.get(key)
    if (known?.plan !== plan) {
      known = { plan, byMethod: new Map() }
      this.#known.set(key, known)
    }
    let byTarget = known.byMethod.get(method)
    if (byTarget === undefined) {
      byTarget = new Map()
      known.byMethod.set(method, byTarget)
    }
    return byTarget
  }
}
