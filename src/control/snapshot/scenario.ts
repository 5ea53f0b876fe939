import { isJsonArray } from '../../base/json/is-object.ts'
import { readJson } from '../../base/json/read.ts'
import type { JsonValue } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import type { Scenario } from '../../emulator/worlds/scenario.ts'
import { saveEvents } from './events.ts'
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

/** Undefined if the text is not a JSON array. */
export function readOrders(text: string): readonly JsonValue[] | undefined {
  const reading = readJson(text)
  return 'value' in reading && isJsonArray(reading.value) ? reading.value : undefined
}
