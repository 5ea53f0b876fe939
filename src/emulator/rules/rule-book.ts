import { fork } from '../../base/random/random.ts'
import { movedBack } from '../../base/time/clock.ts'
import { type Fault, maxDelayMs } from '../../service/call/fault.ts'
import { drawDelay } from './delay.ts'
import { compileMatch, type Facts, type Matcher } from './match.ts'
import { type Direction, endsSearch, holds, type InjectedAnswer, type Rule } from './rule.ts'

/** What the rules do to a call. */
export interface RuleOutcome {
  /** The rules that acted, in order: delays first, then the answer or fault. */
  readonly rules: readonly string[]
  readonly delayMs: number
  /** The part of `delayMs` that is before the call. */
  readonly requestDelayMs: number
  readonly direction: Direction | undefined
  readonly answer: InjectedAnswer | undefined
  readonly fault: Fault | undefined
}

interface Entry extends Omit<RuleStatus, 'calls' | 'acted'> {
  readonly matcher: Matcher
  /** By key. */
  readonly tallies: Map<string, Tally>
  acted: number
}

interface Tally {
  calls: number
  /** Of this rule and key. Draws depend only on it and on the number of the call. */
  readonly seed: number
}

function newStatus(rule: Rule, added: boolean, since: number): RuleStatus {
  return { rule, added, since, calls: {}, acted: 0, off: rule.off }
}

/** The rules of one world, in their order, with their counts. */
export class RuleBook {
  readonly #seed: number
  #entries: readonly Entry[] = []
  #candidates = new Candidates<Entry>([])

  /** `since`: start of the rules' time, in the emulator's time. */
  constructor(seed: number, rules: readonly Rule[], since: number) {
    this.#seed = seed
    this.#use(rules.map(rule => this.#open(newStatus(rule, false, since))))
  }

  static restore({ seed, rules }: SavedRules): RuleBook {
    const book = new RuleBook(seed, [], 0)
    book.#use(rules.map(status => book.#open(status)))
    return book
  }

  get size(): number {
    return this.#entries.length
  }

  /**
   * What the rules do to a call; undefined if none acts. Every rule that matches counts the call, even after an earlier
   * one acted, so that the outcome of a key's n-th call does not depend on other keys.
   */
  consult(facts: Facts, at: number): RuleOutcome | undefined {
    let acting: Rule | undefined
    let names: string[] | undefined
    let delayMs = 0
    let requestDelayMs = 0
    for (const entry of this.#candidates.of(facts)) {
      if (entry.matcher.fitsBody?.(facts) === false) continue
      const tally = this.#tally(entry, facts.key)
      tally.calls += 1
      const { rule } = entry
      if (acting !== undefined || isRetired(entry, at)) continue
      if (!holds(rule.when, tally.calls, at - entry.since, tally.seed)) continue
      entry.acted += 1
      names ??= []
      names.push(rule.name)
      const { delay, direction } = rule.effect
      if (delay !== undefined) {
        const drawn = drawDelay(delay, tally.seed, tally.calls)
        delayMs += drawn
        if (direction === 'request') requestDelayMs += drawn
      }
      if (endsSearch(rule)) acting = rule
    }
    if (names === undefined) return undefined
    const { answer, fault, direction } = acting?.effect ?? {}
    return {
      rules: names,
      delayMs: Math.min(delayMs, maxDelayMs),
      requestDelayMs: Math.min(requestDelayMs, maxDelayMs),
      direction,
      answer,
      fault,
    }
  }

  /** Adds a rule at the front, whose time starts at `at`. It replaces one of the same name. */
  add(rule: Rule, at: number): void {
    this.remove(rule.name)
    this.#use([this.#open(newStatus(rule, true, at)), ...this.#entries])
  }

  /** Switches a rule on or off. It keeps its place, its counts and its time. */
  turn(name: string, on: boolean): void {
    const off = on ? undefined : true
    this.#use(this.#entries.map(entry => (entry.rule.name === name ? { ...entry, off } : entry)))
  }

  /** Returns whether there was one. */
  remove(name: string): boolean {
    const before = this.#entries.length
    this.#use(this.#entries.filter(({ rule }) => rule.name !== name))
    return this.#entries.length < before
  }

  /**
   * Replaces the scenario's rules; added ones stay. A rule with the same name keeps its counts, its time and what switched
   * it, unless its declaration switches it; the time of a new one starts at `at`.
   */
  replace(rules: readonly Rule[], at: number): void {
    const before = this.list()
    const names = new Set(rules.map(({ name }) => name))
    const kept = before.filter(({ added, rule }) => added && !names.has(rule.name))
    const renewed = rules.map(rule => {
      const status = before.find(candidate => candidate.rule.name === rule.name)
      if (status === undefined) return newStatus(rule, false, at)
      const off = rule.off === status.rule.off ? status.off : rule.off
      return { ...status, rule, added: false, off }
    })
    this.#use([...kept, ...renewed].map(status => this.#open(status)))
  }

  /** Moves the time of the rules that came after the start along with a clock that is set back to `to`. `by`: milliseconds. */
  moveBack(by: number, to: number): void {
    const moved = ({ added, since }: Entry) => (added || since > to ? movedBack(since, by) : since)
    this.#use(this.#entries.map(entry => ({ ...entry, since: moved(entry) })))
  }

  forget(key: string): void {
    for (const { tallies } of this.#entries) tallies.delete(key)
  }

  list(): RuleStatus[] {
    return this.#entries.map(({ rule, added, since, tallies, acted, off }) => ({
      rule,
      added,
      since,
      calls: Object.fromEntries(Array.from(tallies, ([key, { calls }]) => [key, calls])),
      acted,
      ...(off && { off }),
    }))
  }

  save(): SavedRules {
    return { seed: this.#seed, rules: this.list() }
  }

  #use(entries: readonly Entry[]): void {
    this.#entries = entries
    this.#candidates = new Candidates(entries.filter(({ off }) => off !== true))
  }

  #open({ rule, added, since, calls, acted, off }: RuleStatus): Entry {
    const tallies = Object.entries(calls).map(([key, n]) => [key, this.#newTally(rule, key, n)] as const)
    return { rule, matcher: compileMatch(rule.match), added, since, tallies: new Map(tallies), acted, off }
  }

  #tally({ rule, tallies }: Entry, key: string): Tally {
    const known = tallies.get(key)
    if (known !== undefined) return known
    const tally = this.#newTally(rule, key, 0)
    tallies.set(key, tally)
    return tally
  }

  #newTally({ name }: Rule, key: string, calls: number): Tally {
    return { calls, seed: fork(seedOfKey(key), `rule ${name} ${this.#seed}`) }
  }
}

/** The name of a key in a box has the seed of the key, in eight hexadecimal digits: `key-1-0a1b2c3d`. */
const nameInBox = /key-\d+-([\da-f]{8})/

/** What the draws of a key depend on: 32 bits. */
export function seedOfKey(key: string): number {
  const [, seed] = nameInBox.exec(key) ?? []
  return seed === undefined ? fork(0, key) : Number.parseInt(seed, 16)
}

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

export interface RuleStatus {
  readonly rule: Rule
  /** Whether it was added by hand, and is not the scenario's. */
  readonly added: boolean
  /** Start of its time: milliseconds since the epoch, in the emulator's time. */
  readonly since: number
  readonly calls: Readonly<Record<string, number>>
  readonly acted: number
  /** Switched off, or declared so: it matches no call until it is on. */
  readonly off?: true | undefined
}

export interface SavedRules {
  readonly seed: number
  readonly rules: readonly RuleStatus[]
}

/** Whether a rule has retired by `times` or `ttl`. Nothing schedules that. */
export function isRetired({ rule, since, acted }: Omit<RuleStatus, 'calls'>, at: number): boolean {
  const { times, ttlMs } = rule
  return (times !== undefined && acted >= times) || (ttlMs !== undefined && at >= since + ttlMs)
}
