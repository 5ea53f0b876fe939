import { isJsonArray } from '../../base/json/is-object.ts'
import { readJson } from '../../base/json/read.ts'
import type { JsonValue } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import { restoreEvents, saveEvents } from './events.ts'
import { restorePets } from './pets.ts'
import type { SavedScenario } from './saved.ts'

/** A scenario without its pets. */
export function saveScenario(scenario: Scenario): Omit<SavedScenario, 'pets'> {
  const {
    plans,
    keys,
    orders,
    events,
    pets: _pets,
    walkthrough: _walkthrough,
    origin: _origin,
    ...rest
  } = scenario
  return {
    ...rest,
    plans: Array.from(plans, ([name, quota]) => ({ name, ...quota })),
    keys: Array.from(keys, ([text, start]) => ({ text, ...start })),
    ...(events.length > 0 && { events: saveEvents(events) }),
    orders: writeJson(orders),
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

/** Undefined if the text is not a JSON array. */
export function readOrders(text: string): readonly JsonValue[] | undefined {
  const reading = readJson(text)
  return 'value' in reading && isJsonArray(reading.value) ? reading.value : undefined
}

/** Compares scenarios, also if one of them was read from JSON. */
function isSame(one: Scenario, other: Scenario): boolean {
  const text = (scenario: Scenario) => JSON.stringify(saveScenario(scenario))
  return one.name === other.name && one.pets.equals(other.pets) && text(one) === text(other)
}
