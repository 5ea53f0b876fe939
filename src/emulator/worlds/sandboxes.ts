import { BoundedMap } from '../../base/bounded-map.ts'
import { startClock } from '../../base/time/clock.ts'
import type { Call, Reply } from '../../service/call/call.ts'
import type { Credential } from '../../service/keys/credential.ts'
import { isValid, type Key } from '../../service/keys/key.ts'
import { createSecrets, type Secrets } from '../../service/keys/mask.ts'
import { JournalBudget, type JournalLimits } from '../journal/journal.ts'
import type { RecordedCall } from '../journal/recorded-call.ts'
import { adoptScenario, isUnused } from './adopt-scenario.ts'
import { sandboxNames } from './constraints.ts'
import { Expectations } from './expectations.ts'
import type { Profile, Scenario } from './scenario.ts'
import { Timekeeper } from './timekeeper.ts'
import { continueIds, createWorld, SharedPages, type World } from './world.ts'

export const defaultSandbox = 'default'

export const maxSandboxes = 1_000

interface SandboxesOptions {
  readonly scenario: Scenario
  readonly startedAt: number
  readonly steady?: () => number
  readonly journal?: JournalLimits
  readonly secrets?: Secrets
}

/**
 * Hears of all that changes worlds from outside, in the order in which it takes effect. From the same start, the same inputs
 * give the same worlds and the same responses.
 */
export interface InputListener {
  /** A call came whose response comes later. */
  readonly arrived?: (call: Call) => void
  /**
   * `headers`: those of the call, as one list for all calls with the same ones. `world`: the one that has the call. `id`: that of
   * its exchange; undefined if the journal does not get it.
   */
  readonly answered: (
    call: Call,
    headers: readonly string[],
    reply: Reply,
    world: World,
    id: number | undefined,
  ) => void
  /** A command changed a sandbox; undefined: the default one, `*`: all. */
  readonly changed?: (sandbox: string | undefined, command: { readonly do: string }, now: number) => void
  readonly adopted?: (scenario: Scenario, wall: number) => void
  /** A contract replaced the one before. */
  readonly opened?: () => void
  /** A door noted the time without a call. */
  readonly noted?: (wall: number) => void
  /** The steady time, where an input needed it. That input comes next. */
  readonly readSteady?: (ms: number) => void
}

/** The worlds by name. `demo-free+worker-3` is the key `demo-free` in the sandbox `worker-3`, created on first use. */
export class Sandboxes implements Iterable<World> {
  scenario: Scenario
  /** What was learned about the service, for later scenarios. Snapshots leave it out. */
  profile: Profile | undefined
  readonly journals: JournalBudget<RecordedCall>
  readonly #notice: (text: string) => void
  readonly #pages = new SharedPages()
  #default: World
  /** The least recently used first. The default world is apart, since it is never dropped. */
  readonly #others = new Map<string, World>()
  /** The next exchange id of each dropped sandbox, the last dropped one last. One that is created again continues its ids. */
  readonly #dropped = new BoundedMap<string, number>(maxSandboxes)
  readonly expectations = new Expectations()
  readonly time: Timekeeper
  changes = 0
  /** At most one: a box that records the run. */
  listener: InputListener | undefined
  /** What outputs mask. It does not affect answers. */
  readonly secrets: Secrets

  constructor(options: SandboxesOptions, notice: (text: string) => void) {
    this.scenario = options.scenario
    this.profile = options.scenario.origin?.profile
    this.secrets = options.secrets ?? createSecrets()
    this.journals = new JournalBudget(options.journal)
    this.#notice = notice
    const { steady } = options
    const readSteady = () => {
      const ms = steady?.() ?? 0
      this.listener?.readSteady?.(ms)
      return ms
    }
    this.time = new Timekeeper(options.startedAt, this, notice, steady && readSteady)
    this.#default = createWorld(defaultSandbox, options.scenario, options.startedAt, this.#pages)
    this.#default.journal.join(this.journals)
  }

  get default(): World {
    return this.#default
  }

  get(name: string): World | undefined {
    return name === defaultSandbox ? this.#default : this.#others.get(name)
  }

  names(): string[] {
    return [defaultSandbox, ...this.#others.keys()]
  }

  /** The default world first, then the least recently used one. */
  *[Symbol.iterator](): Generator<World> {
    yield this.#default
    yield* this.#others.values()
  }

  get dropped(): ReadonlyMap<string, number> {
    return this.#dropped
  }

  /** The world of a sandbox, or a new one that is not kept yet; undefined if the name is invalid. */
  open(name: string, wall: number): World | undefined {
    if (!sandboxNames.accepts(name)) return undefined
    return this.get(name) ?? createWorld(name, this.scenario, wall, this.#pages)
  }

  /** Places a world in its sandbox, as the most recently used one. Exchange ids continue, so that no client misses one. */
  keep(world: World): void {
    this.#place(world)
    this.#touch(world.sandbox)
    this.#dropOldest()
  }

  startAnew(name: string, wall: number, scenario?: Scenario): void {
    const before = this.get(name)
    const world = createWorld(name, scenario ?? before?.scenario ?? this.scenario, wall, this.#pages)
    world.follows = scenario === undefined ? (before?.follows ?? true) : scenario === this.scenario
    this.keep(world)
  }

  /** Drops a sandbox. The default one restarts instead. */
  drop(name: string, wall: number): void {
    this.changes += 1
    if (name === defaultSandbox) this.startAnew(name, wall, this.scenario)
    else this.#forget(name)
  }

  /** Replaces all worlds by these, in order of use. One must be the default. `dropped`: see `this.dropped`. */
  replaceAll(scenario: Scenario, worlds: readonly World[], dropped: ReadonlyMap<string, number>): void {
    const others = worlds.filter(({ sandbox }) => sandbox !== defaultSandbox)
    const newDefault = worlds.find(({ sandbox }) => sandbox === defaultSandbox)
    if (newDefault === undefined) throw new RangeError('There is no world for the default sandbox.')
    this.scenario = scenario
    for (const name of [...this.#others.keys()]) this.#forget(name)
    for (const [name, next] of dropped) this.#remember(name, next)
    this.keep(newDefault)
    for (const world of others) this.keep(world)
  }

  /** Takes note of a door's time without a call. */
  note(wall: number): void {
    this.time.note(wall)
    this.listener?.noted?.(wall)
  }

  /** Applies a new scenario to new worlds and to those that follow it or run an earlier version: unused ones start anew. */
  adopt(scenario: Scenario, wall: number): void {
    this.changes += 1
    this.scenario = scenario
    this.profile = scenario.origin?.profile
    for (const world of [...this]) {
      if (!world.follows && world.scenario.name !== scenario.name) continue
      world.follows = true
      if (scenario.reset || isUnused(world))
        this.#place(createWorld(world.sandbox, scenario, wall, this.#pages), scenario.reset)
      else adoptScenario(world, scenario, wall)
    }
    this.listener?.adopted?.(scenario, wall)
  }

  /**
   * The world that records a call, and the call's key, if that world knows it. An exact key has precedence, then the
   * split at the last `+`. Only a valid key creates a sandbox.
   */
  find(sent: SandboxKey | undefined, wall: number): { readonly world: World; readonly key: Key | undefined } {
    if (sent === undefined) return { world: this.#default, key: undefined }
    const exact = this.#default.keys.get(sent.text)
    if (exact !== undefined) return { world: this.#default, key: exact }
    const { base, sandbox: name } = sent
    if (name === undefined || this.#default.deletedKeys.has(sent.text))
      return { world: this.#default, key: undefined }
    const world =
      name === defaultSandbox ? this.#default : (this.#touch(name) ?? this.#make(name, base, wall))
    return { world: world ?? this.#default, key: world?.keys.get(base) }
  }

  #touch(name: string): World | undefined {
    const world = this.#others.get(name)
    if (world === undefined) return undefined
    this.#others.delete(name)
    this.#others.set(name, world)
    return world
  }

  #make(name: string, key: string, wall: number): World | undefined {
    const start = this.scenario.keys.get(key)
    if (start === undefined || !isValid(start, startClock(this.scenario.clock, wall).at)) return undefined
    const world = createWorld(name, this.scenario, wall, this.#pages)
    this.keep(world)
    return world
  }

  /**
   * Replaces the world of a sandbox where it stands. A new sandbox comes last, as the most recently used one. `restarts`:
   * whether that ends what tests expect of it.
   */
  #place(world: World, restarts = true): void {
    this.changes += 1
    const before = this.get(world.sandbox)
    continueIds(world, before, this.#dropped.get(world.sandbox))
    this.#dropped.delete(world.sandbox)
    if (world !== before) {
      if (restarts && before !== undefined) this.#leave(before)
      else before?.journal.leave()
      world.journal.join(this.journals)
    }
    if (world.sandbox === defaultSandbox) this.#default = world
    else this.#others.set(world.sandbox, world)
  }

  #forget(name: string): void {
    const world = this.#others.get(name)
    if (world === undefined) return
    this.#leave(world)
    this.#others.delete(name)
    this.#remember(name, world.nextExchange)
  }

  /** Keeps the greater id, if the sandbox was dropped before. */
  #remember(name: string, nextExchange: number): void {
    this.#dropped.set(name, Math.max(nextExchange, this.#dropped.get(name) ?? 1))
  }

  #leave({ sandbox, journal, nextExchange }: World): void {
    journal.leave()
    this.expectations.end(sandbox, nextExchange)
  }

  #dropOldest(): void {
    const [name] = this.#others.keys()
    if (name === undefined || this.#others.size < maxSandboxes) return
    this.#forget(name)
    this.#notice(`The sandbox "${name}" was dropped: it was the least recently used of ${maxSandboxes}.`)
  }
}

/**
 * Whether a text is a key of any sandbox: a client may send the key of another one. Making the set costs a step for each
 * key, and looking into each world one for each sandbox. After a change it looks, until that has cost as much as a new set:
 * each new sandbox is a change.
 */
export function createKnownKeys(sandboxes: Sandboxes): { readonly has: (text: string) => boolean } {
  let keys: ReadonlySet<string> = new Set()
  let madeAt = -1
  let spent = 0
  const isInAWorld = (text: string): boolean => {
    for (const world of sandboxes) {
      spent += 1
      if (world.keys.has(text)) return true
    }
    return false
  }
  return {
    has: text => {
      // A key that is gone stays masked until then.
      if (keys.has(text)) return true
      if (madeAt === sandboxes.changes) return false
      if (spent < keys.size) return isInAWorld(text)
      madeAt = sandboxes.changes
      spent = 0
      keys = new Set([...sandboxes].flatMap(world => [...world.keys.keys()]))
      return keys.has(text)
    },
  }
}

/** A key as clients send it, and its parts if it may name a sandbox: `demo-free+worker-3`. */
export interface SandboxKey {
  readonly text: string
  readonly base: string
  /** Undefined if what follows the last `+` is no name of a sandbox. */
  readonly sandbox: string | undefined
}

export function splitKey(credential: Credential): SandboxKey | undefined {
  if (credential.kind !== 'key') return undefined
  const { text } = credential
  const plus = text.lastIndexOf('+')
  const name = text.slice(plus + 1)
  return {
    text,
    base: text.slice(0, plus),
    sandbox: plus !== -1 && sandboxNames.accepts(name) ? name : undefined,
  }
}
