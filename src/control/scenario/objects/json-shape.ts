import { maxDepth } from '../../../base/json/read.ts'
import type { Path } from '../../files/show.ts'
import type { Objection } from '../checks/objection.ts'
import { isMap, type Shape, unlike } from './object-shapes.ts'

/** Whatever JSON can say; an integer may be a bigint. */
export const jsonValue: Shape = (path, value) => wrongParts(path, value, [])

export const jsonMap: Shape = (path, value) =>
  isMap(value) ? jsonValue(path, value) : unlike(path, 'a map of fields', value)

function wrongParts(path: Path, value: unknown, around: readonly unknown[]): readonly Objection[] {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return []
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))) return []
  const inner: readonly (readonly [string | number, unknown])[] | undefined = Array.isArray(value)
    ? [...value.entries()]
    : isMap(value)
      ? Object.entries(value)
      : undefined
  if (inner === undefined) return unlike(path, 'a value that JSON has', nameOf(value))
  if (around.includes(value))
    return [
      { path, message: 'this is what it stands in, and JSON ends somewhere: write out what it is to hold' },
    ]
  if (around.length >= maxDepth) return [{ path, message: `nested more than ${maxDepth} deep` }]
  return inner.flatMap(([name, part]) => wrongParts([...path, name], part, [...around, value]))
}

/** As a message tells it: a number such as NaN, or the kind of what JSON has no word for. */
function nameOf(value: unknown): unknown {
  if (typeof value === 'number' || value === undefined) return value
  return Object.prototype.toString.call(value).slice('[object '.length, -1).toLowerCase()
}
