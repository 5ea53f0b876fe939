import { isObject } from '../../base/json/is-object.ts'
import { readJson } from '../../base/json/read.ts'
import type { JsonObject } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import type { Records } from '../../emulator/worlds/world.ts'
import { readInt64, saveInt64 } from './pets.ts'
import type { SavedRecords } from './saved.ts'

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
