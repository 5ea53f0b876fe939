import { isJsonArray, isJsonObject } from './is-object.ts'
import type { JsonValue } from './value.ts'

/**
 * Whether a value contains a part: objects have at least its fields, lists have its length and contain its items in
 * order, and other values are equal, int64s exactly.
 */
export function contains(value: JsonValue | undefined, part: JsonValue): boolean {
  if (isJsonArray(part)) {
    return (
      isJsonArray(value) &&
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
