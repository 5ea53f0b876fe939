import { isJsonObject, listOf, objectOf } from '../../base/json/is-object.ts'
import { joinSchema } from '../../base/json/schema.ts'
import type { JsonObject, JsonValue } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'

/** The deepest nesting of a type's name: a schema may hold itself. */
const mostLevels = 3

export function alternatives(root: JsonObject, schema: JsonObject): readonly JsonObject[] {
  return [...objectsAt(schema, 'oneOf'), ...objectsAt(schema, 'anyOf')].map(one => joinSchema(root, one))
}

/** What a value is, in short: `integer`, `string | null`, `array of Pet`. `schema`: joined. */
export function typeName(root: JsonObject, schema: JsonObject, level = 0): string {
  if (level === mostLevels) return 'any'
  const types = typesOf(schema)
  if (types.length === 0 && schema.enum === undefined) {
    const names = alternatives(root, schema).map(one => typeName(root, one, level + 1))
    if (names.some(name => name !== 'any')) return [...new Set(names)].join(' | ')
    return schema.properties === undefined ? 'any' : 'object'
  }
  const names = types.map(type => {
    if (type !== 'array') return type
    const items = typeName(root, joinSchema(root, objectAt(schema, 'items')), level + 1)
    return items === 'any' ? 'array' : `array of ${items}`
  })
  return names.length === 0 ? 'one of' : names.join(' | ')
}

export function typesOf(schema: JsonObject): readonly string[] {
  const { type } = schema
  return typeof type === 'string' ? [type] : textsAt(schema, 'type')
}

/** Which values are allowed, as short texts: `1 to 100`, `default 20`, `one of available, sold`. */
export function limitsOf(schema: JsonObject): readonly string[] {
  const { minimum, maximum, default: usual } = schema
  const values = valuesAt(schema, 'enum')
  const format = textAt(schema, 'format')
  return [
    ...(format === '' ? [] : [format]),
    ...(values.length === 0 ? [] : [`one of ${values.map(showValue).join(', ')}`]),
    ...range(minimum, maximum),
    ...range(schema.minLength, schema.maxLength).map(text => `${text} characters`),
    ...range(schema.minItems, schema.maxItems).map(text => `${text} items`),
    ...(usual === undefined ? [] : [`default ${showValue(usual)}`]),
  ]
}

function range(least: JsonValue | undefined, most: JsonValue | undefined): readonly string[] {
  if (least === undefined && most === undefined) return []
  if (most === undefined) return [`at least ${least}`]
  return [least === undefined ? `at most ${most}` : `${least} to ${most}`]
}

/** A value for people: a text without quotes. */
export function showValue(value: JsonValue): string {
  return typeof value === 'string' ? value : writeJson(value)
}

const mostNested = 5

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
    const isDeep = level === mostNested || left <= 0
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

function objectExample(schema: JsonObject, isBrief: boolean, inner: (part: JsonObject) => JsonValue) {
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

/** Fields of a document that nobody checked. What is missing or has another type reads as empty. */
export function objectAt(node: JsonObject, name: string): JsonObject {
  return objectOf(node[name])
}

export function objectsAt(node: JsonObject, name: string): readonly JsonObject[] {
  return valuesAt(node, name).filter(isJsonObject)
}

export function valuesAt(node: JsonObject, name: string): readonly JsonValue[] {
  return listOf(node[name])
}

export function textAt(node: JsonObject, name: string): string {
  const value = node[name]
  return typeof value === 'string' ? value : ''
}

export function textsAt(node: JsonObject, name: string): readonly string[] {
  return valuesAt(node, name).filter(value => typeof value === 'string')
}
