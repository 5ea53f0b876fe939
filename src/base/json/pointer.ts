import { decodePercent } from '../percent.ts'
import { isObject } from './is-object.ts'
import type { JsonValue } from './value.ts'

/** More references than this in a chain are a circle. */
const mostHops = 50

/** The names in a JSON pointer that is a fragment of a URI, such as `/components/schemas/Pet` (RFC 6901, section 6). */
export function pointerPath(fragment: string): readonly string[] | undefined {
  const pointer = decodePercent(fragment)
  if (pointer === '') return []
  if (!pointer?.startsWith('/')) return undefined
  const names = pointer.slice(1).split('/')
  return names.map(name => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The value at a path; undefined if there is none. */
export function valueAt(
  root: JsonValue | undefined,
  path: readonly (string | number)[],
): JsonValue | undefined
export function valueAt(root: unknown, path: readonly (string | number)[]): unknown
export function valueAt(root: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    return (value as Readonly<Record<string | number, unknown>>)[name]
  }, root)
}

/** The value that a `$ref` within a document leads to; undefined if it leads nowhere. */
export function resolveRef(root: JsonValue, ref: string): JsonValue | undefined
export function resolveRef(root: unknown, ref: string): unknown
export function resolveRef(root: unknown, ref: string): unknown {
  const path = ref.startsWith('#') ? pointerPath(ref.slice(1)) : undefined
  return path && valueAt(root, path)
}

/** A value, or the one that its `$ref`s within a document lead to; undefined if they lead nowhere. */
export function followRefs(root: JsonValue, value: JsonValue | undefined): JsonValue | undefined
export function followRefs(root: unknown, value: unknown): unknown
export function followRefs(root: unknown, value: unknown): unknown {
  return followFrom(value, refOf, (ref: string) => resolveRef(root, ref))
}

/** The text of a value's `$ref`, if it has one. */
export function refOf(value: unknown): string | undefined {
  return isObject(value) && typeof value.$ref === 'string' ? value.$ref : undefined
}

/** Goes from one reference to the next. Undefined where one leads nowhere, or in a circle. */
export function followFrom<T>(
  start: T,
  refOf: (value: T) => string | undefined,
  targetOf: (ref: string, from: T) => T | undefined,
): T | undefined {
  let value: T | undefined = start
  for (let hops = 0; hops < mostHops && value !== undefined; hops += 1) {
    const ref = refOf(value)
    if (ref === undefined) return value
    value = targetOf(ref, value)
  }
  return undefined
}
