import { isJsonObject } from './is-object.ts'
import type { JsonValue } from './value.ts'

/**
 * Whether a value is at least what a part of it says: maps field by field, others left alone; lists item by item
 * and as long; all else equal, int64s exactly.
 */
export function contains(value: JsonValue | undefined, part: JsonValue): boolean {
  if (isList(part)) {
    return (
      isList(value) &&
      value.length === part.length &&
      part.every((item, index) => contains(value[index], item))
    )
  }
  if (!isJsonObject(part)) return value === part
  return (
    isJsonObject(value) &&
    Object.entries(part).every(([name, inner]) => Object.hasOwn(value, name) && contains(value[name], inner))
  )
}

/** Array.isArray does not know readonly arrays. */
function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value)
}
