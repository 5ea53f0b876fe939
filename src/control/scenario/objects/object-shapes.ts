import type { Constraint } from '../../../base/text/constraint.ts'
import { suggest } from '../../../base/text/did-you-mean.ts'
import { type Path, showValue } from '../../files/show.ts'
import type { Objection } from '../checks/objection.ts'
import { check, checkName } from '../checks/range.ts'

/*
 * What objects that programs write are checked by: as files are, but without the schema library, which is loaded for
 * files only. TypeScript has said most of it already, to those who use it.
 */

/** Everything that is wrong with a value, at its path. */
export type Shape = (path: Path, value: unknown) => readonly Objection[]

/** A table of fields that has a row for each field of the type: the compiler asks for those that are missing. */
type FieldShapes<T> = { readonly [Name in keyof Required<T>]: Shape }

export function like(constraint: Constraint): Shape {
  return (path, value) =>
    value === null || value === undefined
      ? unlike(path, constraint.expected, value)
      : check(path, value, constraint)
}

export const anyText: Shape = (path, value) => (typeof value === 'string' ? [] : unlike(path, 'text', value))

export const flag: Shape = (path, value) =>
  typeof value === 'boolean' ? [] : unlike(path, 'true or false', value)

export function oneOf(values: readonly unknown[]): Shape {
  const names = values.map(String)
  return (path, value) => {
    if (values.includes(value)) return []
    const hint = typeof value === 'string' ? suggest(value, names) : ''
    return unlike(path, names.length === 1 ? `${names[0]}` : `one of ${names.join(', ')}`, value, hint)
  }
}

/** `expected`: what the list is of, with an example. A hole is what was taken out of a list, and no item. */
export function list(item: Shape, expected = 'a list'): Shape {
  return (path, value) =>
    Array.isArray(value)
      ? value.flatMap((each, index) => item([...path, index], each))
      : unlike(path, expected, value)
}

/** A map of fields, where null is as good as absent. */
export function fields<T>(shapes: FieldShapes<T>): Shape {
  return mapOf(shapes, [], true)
}

/** A map of fields within a list, where null stands for nothing; those that are `required` must be there. */
export function itemFields<T>(shapes: FieldShapes<T>, ...required: readonly (keyof T & string)[]): Shape {
  return mapOf(shapes, required, false)
}

function mapOf(
  shapes: Readonly<Record<string, Shape>>,
  required: readonly string[],
  isNullAbsent: boolean,
): Shape {
  const known = Object.keys(shapes)
  return (path, value) => {
    if (!isMap(value)) return unlike(path, 'a map of fields', value)
    const missing = required
      .filter(name => value[name] === undefined)
      .map(name => ({ path, message: `${name} is missing` }))
    const wrong = Object.entries(value).flatMap(([name, field]) => {
      const at = [...path, name]
      const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined
      if (shape === undefined)
        return [
          { path: at, message: `unknown field${suggest(name, known) || `; known are ${known.join(', ')}`}` },
        ]
      return field === undefined || (field === null && isNullAbsent) ? [] : shape(at, field)
    })
    return [...missing, ...wrong]
  }
}

/** A map whose names are not fields. */
export function names(name: Constraint | undefined, shape: Shape): Shape {
  return (path, value) => {
    if (!isMap(value)) return unlike(path, 'a map of names', value)
    return Object.entries(value).flatMap(([each, inner]) => {
      const at = [...path, each]
      return [
        ...(name === undefined ? [] : checkName(at, name)),
        ...(inner === undefined ? [] : shape(at, inner)),
      ]
    })
  }
}

/** Where null removes what the shipped have. */
export function orNull(shape: Shape): Shape {
  return (path, value) => (value === null ? [] : shape(path, value))
}

/** A map may come from another realm, such as a test runner's, and then has another prototype. */
export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return Object.prototype.toString.call(value) === '[object Object]'
}

export function unlike(path: Path, expected: string, found: unknown, hint = ''): readonly Objection[] {
  return [{ path, message: `expected ${expected}, found ${showValue(found)}${hint}` }]
}
