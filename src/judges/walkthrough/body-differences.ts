import { isJsonArray, isJsonObject } from '../../base/json/is-object.ts'
import type { JsonValue } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import { type Path, showPath } from '../../control/files/show.ts'

/** One thing that was not as expected, each side as a person reads it. */
export interface Difference {
  /** Such as `status`, `Retry-After` or `body.code`. */
  readonly what: string
  readonly expected: string
  readonly got: string
}

/**
 * Where a value is not at least what is expected: maps field by field, further fields left alone; lists item by item
 * and as long; null: not there, or null; all else equal, int64s exactly.
 */
export function bodyDifferences(expected: JsonValue, got: JsonValue, path: Path = []): readonly Difference[] {
  return differences(expected, got, ['body', ...path])
}

function differences(expected: JsonValue, got: JsonValue | undefined, path: Path): readonly Difference[] {
  if (expected === null && got === undefined) return []
  if (isJsonArray(expected) && isJsonArray(got) && expected.length === got.length)
    return expected.flatMap((item, index) => differences(item, got[index], [...path, index]))
  if (isJsonArray(expected) && isJsonArray(got))
    return [{ what: showPath(path), expected: items(expected.length), got: items(got.length) }]
  if (isJsonObject(expected) && isJsonObject(got))
    return Object.entries(expected).flatMap(([name, value]) =>
      differences(value, Object.hasOwn(got, name) ? got[name] : undefined, [...path, name]),
    )
  if (expected === got) return []
  return [{ what: showPath(path), expected: showJson(expected), got: showJson(got) }]
}

/** A value as JSON, cut where it gets long; what is not there is a dash. */
export function showJson(value: JsonValue | undefined): string {
  if (value === undefined) return '–'
  const text = writeJson(value)
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

export function items(count: number): string {
  return count === 1 ? '1 item' : `${count} items`
}
