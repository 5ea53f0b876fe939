import type { Facts, Matcher } from './match.ts'

interface Known<T> extends Pick<Facts, 'key' | 'plan' | 'method' | 'target'> {
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
  /** By target; of each, the calls that differ in key, plan or method. */
  readonly #known = new Map<string, readonly Known<T>[]>()
  #kept = 0
  /** The previous call: often the same one, and comparing costs less than looking up. */
  #last: Known<T> | undefined

  constructor(all: readonly T[]) {
    this.#all = all
  }

  of(facts: Facts): readonly T[] {
    if (this.#last === undefined || !isSame(this.#last, facts)) this.#last = this.#find(facts)
    return this.#last.found
  }

  #find(facts: Facts): Known<T> {
    const { key, plan, method, target } = facts
    const known = this.#known.get(target)?.find(call => isSame(call, facts))
    if (known !== undefined) return known
    const found = this.#all.filter(({ matcher }) => matcher.fitsHead(facts))
    const asked = { key, plan, method, target, found }
    if (target.length > longestKept) return asked
    if (this.#kept >= mostKept) {
      this.#known.clear()
      this.#kept = 0
    }
    this.#kept += 1
    this.#known.set(target, [...(this.#known.get(target) ?? []), asked])
    return asked
  }
}

function isSame<T>(one: Known<T>, { key, plan, method, target }: Facts): boolean {
  return one.key === key && one.plan === plan && one.method === method && one.target === target
}
