import type { Facts, Matcher } from './match.ts'

/** The rules that may match each method and target of one key. A key's plan can change. */
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
 * The rules that may match a call, by its key, plan, method and target. Clients repeat the same few targets, so this is
 * computed once for each: rules that do not match cost a call next to nothing.
 */
export class Candidates<T extends { readonly matcher: Matcher }> {
  readonly #all: readonly T[]
  readonly #known = new Map<string, Known<T>>()
  #kept = 0
  /** The previous call: often the same one, and comparing costs less than looking up. */
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
