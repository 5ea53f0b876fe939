import { startClock } from '../../base/time/clock.ts'
import { RuleBook } from '../../emulator/rules/rule-book.ts'
import { EventBook } from '../../emulator/worlds/event-book.ts'
import type { Sandboxes } from '../../emulator/worlds/sandboxes.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import { createWorld, looksOf, type World } from '../../emulator/worlds/world.ts'
import { copyKey } from '../../service/keys/key.ts'
import { copyWindows } from '../../service/limits/limiter.ts'
import { readOrders, restoreEvents, restorePets, restoreRecords, saveScenario } from './parts.ts'
import type { SandboxesSnapshot, SavedScenario, SavedWorld, WorldSnapshot } from './saved.ts'

/**
 * Restores the world of a sandbox, with an empty journal. A running clock keeps its offset from wall time, a frozen one its
 * instant. `known`: scenarios to share, if the world runs one of them.
 */
export function restoreWorld(
  sandbox: string,
  snapshot: WorldSnapshot,
  known: readonly Scenario[] = [],
): World {
  return worldOf(sandbox, snapshot, restoreScenario(snapshot.scenario, known))
}

/** Restores all sandboxes: the arguments of `Sandboxes.replaceAll`. `restored`: the scenarios of the snapshot. */
export function restoreSandboxes(
  { scenarios, startsFrom, dropped, sandboxes }: SandboxesSnapshot,
  known: readonly Scenario[] = [],
  restored = scenarios.map(saved => restoreScenario(saved, known)),
): Parameters<Sandboxes['replaceAll']> {
  const scenarioAt = (place: number) => {
    const scenario = restored[place]
    if (scenario === undefined) throw new RangeError(`A snapshot has no scenario at ${place}.`)
    return scenario
  }
  const worlds = sandboxes.map(saved => {
    const world = worldOf(saved.name, saved, scenarioAt(saved.scenario))
    world.follows = saved.follows ?? world.scenario.name === scenarioAt(startsFrom).name
    return world
  })
  const ids = new Map(dropped.map(({ name, nextExchange }) => [name, nextExchange]))
  return [scenarioAt(startsFrom), worlds, ids]
}

function worldOf(sandbox: string, saved: SavedWorld, scenario: Scenario): World {
  const { keys, anonymous, rules, events = [], records = [], deletedKeys = [] } = saved
  const { firstExchange, nextExchange } = saved
  const { at, wall, scale } = saved.clock
  const start = startClock(scenario.clock, wall)
  // Older snapshots do not say whether a clock still has its offset: it has, unless it was moved.
  const isAsStarted = at === start.at && scale === start.scale
  const offsetMs = saved.clock.offsetMs ?? (isAsStarted ? start.offsetMs : undefined)
  const clock = { at, wall, scale, offsetMs }
  const pets = restorePets(saved.pets, scenario.pets)
  return {
    ...createWorld(sandbox, scenario, clock.wall),
    clock,
    ...looksOf(scenario, pets),
    keys: new Map(keys.map(key => [key.text, copyKey(key)])),
    deletedKeys: new Set(deletedKeys),
    anonymous: new Map(anonymous.map(({ client, windows }) => [client, copyWindows(windows)])),
    rules: RuleBook.restore(rules),
    events: EventBook.restore(scenario.events, events, clock.at),
    records: restoreRecords(records),
    firstExchange,
    nextExchange,
  }
}

/** `known`: scenarios to return, and share the pets of, if the saved one equals one of them. */
export function restoreScenario(saved: SavedScenario, known: readonly Scenario[]): Scenario {
  const restored = {
    ...saved,
    description: saved.description,
    events: restoreEvents(saved.events ?? []),
    plans: new Map(saved.plans.map(({ name, ...quota }) => [name, quota])),
    keys: new Map(saved.keys.map(({ text, ...start }) => [text, start])),
    orders: readOrders(saved.orders) ?? [],
    pets: restorePets(saved.pets),
  }
  return known.find(scenario => isSame(scenario, restored)) ?? restored
}

/** Compares scenarios, also if one of them was read from JSON. */
function isSame(one: Scenario, other: Scenario): boolean {
  const text = (scenario: Scenario) => JSON.stringify(saveScenario(scenario))
  return one.name === other.name && one.pets.equals(other.pets) && text(one) === text(other)
}
