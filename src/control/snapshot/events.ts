import { withoutUndefined } from '../../base/json/is-object.ts'
import { readJson } from '../../base/json/read.ts'
import type { JsonValue } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import type { ScenarioEvent } from '../../emulator/worlds/scenario.ts'
import type { EventCommand } from '../../generated/scenario-fields.ts'

/** An event. Its command is JSON as text, which keeps strings and int64s beyond 2^53 apart. */
export interface SavedEvent extends Omit<ScenarioEvent, 'change' | 'key'> {
  readonly key?: string | undefined
  readonly change: string
}

export function saveEvents(events: readonly ScenarioEvent[]): readonly SavedEvent[] {
  return events.map(event => ({ ...event, change: writeJson(withoutUndefined(event.change) as JsonValue) }))
}

/** The commands were checked with the snapshot. */
export function restoreEvents(saved: readonly SavedEvent[]): readonly ScenarioEvent[] {
  return saved.map(({ after, key, change }) => ({ after, key, change: readCommand(change) }))
}

function readCommand(text: string): EventCommand {
  const reading = readJson(text)
  if ('problem' in reading) throw new RangeError(`An event of a snapshot is no JSON: ${reading.problem}`)
  return reading.value as unknown as EventCommand
}
