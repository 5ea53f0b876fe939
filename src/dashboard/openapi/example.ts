import { joinSchema } from '../../base/json/schema.ts'
import type { JsonObject, JsonValue } from '../../base/json/value.ts'
import { objectAt, textsAt, valuesAt } from './nodes.ts'
import { alternatives, typesOf } from './schema.ts'

const mostLevels = 5

/** The most values of an example: fifty fields of a schema may hold it fifty times each. */
const mostValues = 1_000

/** A value that fits a schema: its example, or one made of its types. `isBrief`: only required fields, or the first. */
export function exampleOf(root: JsonObject, schema: JsonObject, isBrief = false): JsonValue {
  let left = mostValues
  const make = (part: JsonObject, level: number): JsonValue => {
    left -= 1
    const whole = joinSchema(root, part)
    const given = givenExample(whole)
    if (given !== undefined) return given
    const isDeep = level === mostLevels || left <= 0
    const inner = (within: JsonObject) => make(within, level + 1)
    const type = typesOf(whole)[0] ?? (whole.properties === undefined ? undefined : 'object')
    if (type === 'object') return isDeep ? {} : objectExample(whole, isBrief, inner)
    if (type === 'array') return isDeep ? [] : [inner(objectAt(whole, 'items'))]
    if (type !== undefined) return simple(type, whole)
    const [first] = isDeep ? [] : alternatives(root, whole)
    return first === undefined ? {} : inner(first)
  }
  return make(schema, 0)
}

export function givenExample(schema: JsonObject): JsonValue | undefined {
  return (
    schema.example ??
    valuesAt(schema, 'examples')[0] ??
    schema.default ??
    schema.const ??
    valuesAt(schema, 'enum')[0]
  )
}

function objectExample(
  schema: JsonObject,
  isBrief: boolean,
  inner: (part: JsonObject) => JsonValue,
): JsonObject {
  const properties = objectAt(schema, 'properties')
  const required = textsAt(schema, 'required')
  const names = Object.keys(properties).filter(name => objectAt(properties, name).readOnly !== true)
  const needed = names.filter(name => required.includes(name))
  const chosen = isBrief ? (required.length === 0 ? names.slice(0, 1) : needed) : names
  return Object.fromEntries(chosen.map(name => [name, inner(objectAt(properties, name))]))
}

function simple(type: string, { format, minimum }: JsonObject): JsonValue {
  if (type === 'integer' || type === 'number') return minimum ?? 1
  if (type === 'boolean') return true
  if (type === 'null') return null
  if (format === 'date-time') return '2026-03-02T12:00:00Z'
  if (format === 'date') return '2026-03-02'
  if (format === 'uuid') return '00000000-0000-4000-8000-000000000000'
  return 'text'
}
