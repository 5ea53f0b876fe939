import { isJsonArray, isJsonObject } from '../../base/json/is-object.ts'
import type { JsonValue } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import { type Path, showPath } from '../../control/files/show.ts'

/** An expected value and the actual one, as texts. */
export interface Difference {
  /** Such as `status`, `Retry-After` or `body.code`. */
  readonly what: string
  readonly expected: string
  readonly got: string
}

/**
 * Compares the expected fields of maps, all items of lists, and exact values of everything else, int64s included. An expected
 * null means null or absent.
 */
export function bodyDifferences(
  expected: JsonValue,
  got: JsonValue | undefined,
  path: Path = ['body'],
): readonly Difference[] {
  if (expected === null && got === undefined) return []
  if (isJsonArray(expected) && isJsonArray(got) && expected.length === got.length)
    return expected.flatMap((item, index) => bodyDifferences(item, got[index], [...path, index]))
  if (isJsonArray(expected) && isJsonArray(got))
    return [{ what: showPath(path), expected: items(expected.length), got: items(got.length) }]
  if (isJsonObject(expected) && isJsonObject(got))
    return Object.entries(expected).flatMap(([name, value]) =>
      bodyDifferences(value, Object.hasOwn(got, name) ? got[name] : undefined, [...path, name]),
    )
  if (expected === got) return []
  return [{ what: showPath(path), expected: showJson(expected), got: showJson(got) }]
}

/** A value as short JSON; a dash if it is absent. */
export function showJson(value: JsonValue | undefined): string {
  if (value === undefined) return '–'
  const text = writeJson(value)
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

export function items(count: number): string {
  return count === 1 ? '1 item' : `${count} items`
}
