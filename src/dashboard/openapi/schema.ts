import { joinSchema } from '../../base/json/schema.ts'
import type { JsonObject, JsonValue } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import { objectAt, objectsAt, textAt, textsAt, valuesAt } from './nodes.ts'

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
