import type { Int64, JsonObject } from '../../base/json/value.ts'
import { type Clock, startClock } from '../../base/time/clock.ts'
import { banEnd, noStrikes } from '../../service/bans/ban.ts'
import type { Key } from '../../service/keys/key.ts'
import { newWindow, type Windows } from '../../service/limits/limiter.ts'
import { Pages } from '../../service/pets/list-pets.ts'
import type { PetStore } from '../../service/pets/store.ts'
import { Journal } from '../journal/journal.ts'
import { type RecordedCall, readRecordedCall } from '../journal/recorded-call.ts'
import { RuleBook } from '../rules/rule-book.ts'
import { createDress, type Dress } from './dress.ts'
import { EventBook } from './event-book.ts'
import type { KeyStart, Scenario } from './scenario.ts'

/** The whole state of one sandbox. Worlds do not influence each other. */
export interface World {
  readonly sandbox: string
  scenario: Scenario
  /** Whether its scenario is the one that new sandboxes start from. If so, it gets the changes to that one. */
  follows: boolean
  clock: Clock
  /** How far the clock ran on when the system's went back, in real milliseconds. */
  aheadMs: number
  pets: PetStore
  pages: Pages
  /** Undefined: answers stay as the gates give them. */
  dress: Dress | undefined
  keys: Map<string, Key>
  /** Deleted keys with a plus. They must not live on as sandboxes of other keys. */
  readonly deletedKeys: Set<string>
  /** Windows of callers without a valid key, by address (A04). */
  anonymous: Map<string, Windows>
  rules: RuleBook
  events: EventBook
  /** Records of the open areas' collections, by path, from the first call on. */
  readonly records: Map<string, Records>
  /** It keeps calls while the world is in its sandbox. */
  readonly journal: Journal<RecordedCall>
  /** The id of this world's first exchange, above those of the sandbox's previous worlds. */
  firstExchange: number
  nextExchange: number
  /** `nextExchange` when the world was last placed: earlier exchanges were not in this world. */
  placedAt: number
}

/** The records of an open area's collection, in the order in which they came. */
export interface Records {
  /** The number that the next record's id is made from. */
  readonly nextId: Int64
  all(): readonly JsonObject[]
}

/** `wall`: the door's time now, in milliseconds since the epoch. */
export function createWorld(sandbox: string, scenario: Scenario, wall: number, shared?: SharedPages): World {
  const clock = startClock(scenario.clock, wall)
  const pets = scenario.pets.fork()
  return {
    sandbox,
    scenario,
    follows: true,
    clock,
    aheadMs: 0,
    ...looksOf(scenario, pets, shared?.of(scenario)),
    keys: new Map([...scenario.keys].map(([text, start]) => [text, startKey(text, start, clock.at)])),
    deletedKeys: new Set(),
    anonymous: new Map(),
    rules: new RuleBook(scenario.seed, scenario.rules, clock.at),
    events: new EventBook(scenario.events, clock.at),
    records: new Map(),
    journal: new Journal(readRecordedCall),
    firstExchange: 1,
    nextExchange: 1,
    placedAt: 1,
  }
}

/** What depends on a scenario's behaviour and on the pets alone. */
export function looksOf({ behaviour, seed }: Scenario, pets: PetStore, shared?: Pages) {
  return { pets, pages: new Pages(pets, behaviour, shared), dress: createDress(behaviour, seed) }
}

/** Continues the exchange ids of the world that stood here before, or of a dropped one, so that no client misses one. */
export function continueIds(world: World, before: World | undefined, dropped: number | undefined): void {
  const next = before?.nextExchange ?? dropped ?? 1
  if (next > world.nextExchange) {
    if (world.firstExchange === world.nextExchange) world.firstExchange = next
    world.nextExchange = next
  }
  if (world !== before) world.placedAt = world.nextExchange
}

/** A key at the world's start, or when it is added at an instant `at`. */
export function startKey(text: string, start: KeyStart, at: number): Key {
  const { plan, quota, used, revoked, expiresAt, bannedForMs, sharedPerMinute } = start
  const bannedUntil = bannedForMs === undefined ? undefined : banEnd(at, bannedForMs)
  return {
    text,
    plan,
    quota,
    revoked,
    expiresAt,
    windows: { minute: newWindow(used.minute), day: newWindow(used.day), othersPerMinute: sharedPerMinute },
    strikes: { ...noStrikes(), count: start.strikes, bannedUntil, bans: bannedUntil === undefined ? 0 : 1 },
  }
}

export function deleteKey({ keys, deletedKeys }: World, text: string): void {
  if (keys.delete(text) && text.includes('+')) deletedKeys.add(text)
}

/** The lists of a scenario's pets. Worlds share them until they change their pets: a thousand sandboxes touch little memory. */
export class SharedPages {
  #last: { readonly scenario: Scenario; readonly pages: Pages } | undefined

  of(scenario: Scenario): Pages {
    if (this.#last?.scenario !== scenario)
      this.#last = { scenario, pages: new Pages(scenario.pets, scenario.behaviour) }
    return this.#last.pages
  }
}
