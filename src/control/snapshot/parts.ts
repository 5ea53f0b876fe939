import { isJsonArray, isObject, withoutUndefined } from '../../base/json/is-object.ts'
import { readJson } from '../../base/json/read.ts'
import type { JsonObject, JsonValue } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import type { Scenario, ScenarioEvent } from '../../emulator/worlds/scenario.ts'
import type { Records } from '../../emulator/worlds/world.ts'
import type { EventCommand } from '../../generated/scenario-fields.ts'
import { readInt64, saveInt64 } from './pets.ts'
import type { SavedEvent, SavedRecords, SavedScenario } from './saved.ts'

/* The parts of a snapshot that hold JSON as text: scenarios, with their orders and events, and records. */

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

function saveEvents(events: readonly ScenarioEvent[]): readonly SavedEvent[] {
  return events.map(event => ({ ...event, change: writeJson(withoutUndefined(event.change) as JsonValue) }))
}

/** The commands were checked with the snapshot. */
export function restoreEvents(saved: readonly SavedEvent[]): readonly ScenarioEvent[] {
  return saved.map(({ after, key, change }) => {
    const reading = readJson(change)
    if ('problem' in reading) throw new RangeError(`An event of a snapshot is no JSON: ${reading.problem}`)
    return { after, key, change: reading.value as unknown as EventCommand }
  })
}

/** The records of a world's collections, as a constant value. */
export function saveRecords(records: ReadonlyMap<string, Records>): readonly SavedRecords[] {
  return Array.from(records, ([path, kept]) => ({
    path,
    nextId: saveInt64(kept.nextId),
    list: writeJson(kept.all()),
  }))
}

/** Restores the records of the open areas. Their collections are created with the first call. */
export function restoreRecords(saved: readonly SavedRecords[]): Map<string, Records> {
  return new Map(
    saved.map(({ path, nextId, list }) => {
      const records = readRecords(list) ?? []
      return [path, { nextId: readInt64(nextId), all: () => records }]
    }),
  )
}

/** Undefined if the text is not a JSON array of objects. */
export function readRecords(text: string): readonly JsonObject[] | undefined {
  // A record may have the deepest nesting, and the list is around it.
  const reading = readJson(text, 1)
  if (!('value' in reading) || !Array.isArray(reading.value)) return undefined
  const isRecords = reading.value.every(isObject)
  return isRecords ? (reading.value as readonly JsonObject[]) : undefined
}
