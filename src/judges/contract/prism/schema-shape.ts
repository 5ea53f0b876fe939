import { isObject } from '../../../base/json/is-object.ts'
import type { Operation } from './prism.ts'

/** A schema as Prism has it: its references lead into the operation. */
export type Schema = Readonly<Record<string, unknown>>

/** What an object of a schema looks like, `allOf` and references followed. */
export interface Shape {
  readonly properties: ReadonlyMap<string, Schema>
  readonly required: ReadonlySet<string>
}

/** More references than this lead round in a circle. */
const deepest = 20

/** Undefined for a schema of anything but objects. */
export function shapeOf(operation: Operation, schema: unknown): Shape | undefined {
  const parts = partsOf(operation, schema, 0)
  const describesObject = parts.some(part => hasType(part, 'object') || isObject(part.properties))
  if (!describesObject || parts.some(part => part.type !== undefined && !hasType(part, 'object')))
    return undefined
  return {
    properties: new Map(
      parts.flatMap(part =>
        Object.entries(isObject(part.properties) ? part.properties : {}).map(
          ([name, field]) => [name, Object.assign({}, ...partsOf(operation, field, 0))] as const,
        ),
      ),
    ),
    required: new Set(parts.flatMap(({ required }) => (Array.isArray(required) ? required.map(String) : []))),
  }
}

/** What the items of a list look like; undefined for anything but a list of objects. */
export function itemShapeOf(operation: Operation, schema: unknown): Shape | undefined {
  const list = partsOf(operation, schema, 0).find(part => hasType(part, 'array'))
  return list && shapeOf(operation, list.items)
}

/** A schema and all that it is combined of by `allOf`. */
function partsOf(operation: Operation, schema: unknown, depth: number): readonly Schema[] {
  if (!isObject(schema) || depth > deepest) return []
  const { $ref: ref, allOf, ...own } = schema
  const target = typeof ref === 'string' ? partsOf(operation, pointedAt(operation, ref), depth + 1) : []
  const all = Array.isArray(allOf) ? allOf.flatMap(part => partsOf(operation, part, depth + 1)) : []
  return [...target, ...all, own]
}

function pointedAt(operation: Operation, ref: string): unknown {
  let at: unknown = operation
  for (const part of ref.replace(/^#\//, '').split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    at = isObject(at) || Array.isArray(at) ? (at as Schema)[name] : undefined
  }
  return at
}

export function hasType({ type }: Schema, name: string): boolean {
  return type === name || (Array.isArray(type) && type.includes(name))
}
