import { startClock } from '../../base/time/clock.ts'
import type { Credential } from '../../service/keys/credential.ts'
import { isValid, type Key } from '../../service/keys/key.ts'
import { adoptScenario, isUnused } from './adopt-scenario.ts'
import { sandboxNames } from './constraints.ts'
import type { Scenario } from './scenario.ts'
import { createWorld, type World } from './world.ts'

export const defaultSandbox = 'default'

export const maxSandboxes = 1_000

/** Where a call is booked, and the key that it shows, if that world knows it. */
export interface Place {
  readonly world: World
  readonly key: Key | undefined
}

/** The worlds by name. `demo-free+worker-3` is the key `demo-free` in the sandbox `worker-3`, made on first use. */
export class Sandboxes implements Iterable<World> {
  /** What new worlds start from. */
  scenario: Scenario
  readonly #notice: (text: string) => void
  #default: World
  /** In order of use, the least recently used first; the default world is kept apart, since it never goes. */
  readonly #others = new Map<string, World>()
  readonly #dropped = new Map<string, number>()
  /** Worlds that were put in a place, changed by hand or dropped. */
  #changes = 0

  constructor(scenario: Scenario, wall: number, notice: (text: string) => void) {
    this.scenario = scenario
    this.#notice = notice
    this.#default = createWorld(defaultSandbox, scenario, wall)
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

  /** The ids that sandboxes which were dropped would have given next, the one dropped last the last. */
  get dropped(): ReadonlyMap<string, number> {
    return this.#dropped
  }

  /** Grows with every change but calls. */
  get changes(): number {
    return this.#changes
  }

  /** The world of a sandbox, or a new one that is not kept yet; undefined when there can be no sandbox of that name. */
  open(name: string, wall: number): World | undefined {
    if (!sandboxNames.accepts(name)) return undefined
    return this.get(name) ?? createWorld(name, this.scenario, wall)
  }

  /**
   * Puts a world in its sandbox's place, as the most recently used one. Ids of exchanges go on from those of the world
   * before, whatever it is put there for: who follows a sandbox by id misses nothing and takes none for another.
   */
  keep(world: World): void {
    this.#changes += 1
    this.#countOn(world)
    if (world.sandbox === defaultSandbox) {
      this.#default = world
      return
    }
    this.#others.delete(world.sandbox)
    this.#others.set(world.sandbox, world)
    this.#dropOldest()
  }

  /** Starts a sandbox's world anew, from its own scenario if another one is not given. */
  startAnew(name: string, wall: number, scenario = this.get(name)?.scenario ?? this.scenario): void {
    this.keep(createWorld(name, scenario, wall))
  }

  /** Forgets a sandbox. The default one is always there: it starts anew. */
  drop(name: string, wall: number): void {
    this.#changes += 1
    if (name === defaultSandbox) this.startAnew(name, wall, this.scenario)
    else this.#forget(name)
  }

  /**
   * Puts these worlds in the place of all that there are, in order of use; there must be a default one among them.
   * `dropped`: as `this.dropped` was where they come from.
   */
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

  /**
   * From now on this scenario holds: in new worlds wholly, in those that started from the one before as far as they
   * need not start anew for it, unless it says that they shall. A world with a scenario of its own keeps it.
   */
  adopt(scenario: Scenario, wall: number): void {
    const before = this.scenario
    this.#changes += 1
    this.scenario = scenario
    for (const world of [...this]) {
      if (world.scenario !== before) continue
      if (scenario.reset || isUnused(world)) this.startAnew(world.sandbox, wall, scenario)
      else adoptScenario(world, scenario, wall)
    }
  }

  /** An exact key goes before a split, the split is at the last `+`, and only a valid key makes a new sandbox. */
  find(credential: Credential, wall: number): Place {
    if (credential.kind !== 'key') return { world: this.#default, key: undefined }
    const exact = this.#default.keys.get(credential.text)
    if (exact !== undefined) return { world: this.#default, key: exact }
    const plus = credential.text.lastIndexOf('+')
    const base = credential.text.slice(0, plus)
    const name = credential.text.slice(plus + 1)
    if (plus === -1 || !sandboxNames.accepts(name)) return { world: this.#default, key: undefined }
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
    const world = createWorld(name, this.scenario, wall)
    this.keep(world)
    return world
  }

  #countOn(world: World): void {
    const before = this.get(world.sandbox)
    const next = before?.nextExchange ?? this.#dropped.get(world.sandbox) ?? 1
    this.#dropped.delete(world.sandbox)
    if (next > world.nextExchange) {
      if (world.firstExchange === world.nextExchange) world.firstExchange = next
      world.nextExchange = next
    }
    if (world !== before) world.placedAt = world.nextExchange
  }

  #forget(name: string): void {
    const world = this.#others.get(name)
    if (world === undefined) return
    this.#others.delete(name)
    this.#remember(name, world.nextExchange)
  }

  #remember(name: string, nextExchange: number): void {
    const next = Math.max(nextExchange, this.#dropped.get(name) ?? 1)
    this.#dropped.delete(name)
    this.#dropped.set(name, next)
    if (this.#dropped.size <= maxSandboxes) return
    for (const oldest of this.#dropped.keys()) {
      this.#dropped.delete(oldest)
      return
    }
  }

  #dropOldest(): void {
    if (this.#others.size < maxSandboxes) return
    for (const name of this.#others.keys()) {
      this.#forget(name)
      this.#notice(`The sandbox "${name}" was dropped: it was the least recently used of ${maxSandboxes}.`)
      return
    }
  }
}
