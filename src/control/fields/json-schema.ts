import type { Field, MapShape, Shape } from './field.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** A shape as JSON Schema, in what draft 7 and 2020-12 share. `scenario`: what refers to the schema of a whole scenario. */
export function jsonSchema(shape: Shape, scenario: string): JsonSchema {
  const print = (inner: Shape) => jsonSchema(inner, scenario)
  switch (shape.type) {
    case 'map':
      return mapSchema(shape, scenario)
    case 'names': {
      const each = { ...print(shape.each), ...(shape.example !== undefined && { examples: [shape.example] }) }
      const additionalProperties = shape.nullable ? orNull(each) : each
      return { type: 'object', propertyNames: print(shape.name), additionalProperties }
    }
    case 'list':
      return { type: 'array', items: print(shape.each), ...(shape.nonEmpty !== undefined && { minItems: 1 }) }
    case 'pair':
      return { type: 'array', items: print(shape.each), minItems: 2, maxItems: 2 }
    case 'either':
    case 'variants':
      return { anyOf: shape.options.map(print) }
    case 'tagged':
      return { oneOf: Object.values(shape.options).map(print) }
    case 'json':
      return shape.isMap ? { type: 'object' } : {}
    case 'chosen':
      return shape.schema ?? { $ref: scenario }
    default:
      return shape.schema
  }
}

function mapSchema({ fields, nullable, needs, open }: MapShape, scenario: string): JsonSchema {
  const entries = Object.entries(fields)
  const requiredNames = [
    ...entries.filter(([, { required }]) => required).map(([name]) => name),
    ...(needs?.names.length === 1 ? needs.names : []),
  ]
  return {
    type: 'object',
    properties: Object.fromEntries(
      entries.map(([name, field]) => [name, fieldSchema(field, nullable && !field.required, scenario)]),
    ),
    ...(requiredNames.length > 0 && { required: requiredNames }),
    ...(!open && { additionalProperties: false }),
    // Within allOf, so that an editor does not offer these as forms of the map.
    ...(needs !== undefined && needs.names.length > 1 && { allOf: [needSchema(needs, nullable)] }),
  }
}

function needSchema({ how, names }: NonNullable<MapShape['needs']>, nullable: boolean): JsonSchema {
  const given = nullable ? { not: { type: 'null' } } : {}
  return { [how]: names.map(name => ({ required: [name], properties: { [name]: given } })) }
}

function fieldSchema(field: Field, nullable: boolean, scenario: string): JsonSchema {
  const { about, assumption } = field
  const schema = jsonSchema(field.shape, scenario)
  return {
    ...(nullable ? orNull(schema) : schema),
    ...(about !== '' && {
      description: assumption === undefined ? about : about.replace(/\.$/, ` (${assumption}).`),
    }),
    ...(field.default !== undefined && { default: field.default }),
    ...(field.examples.length > 0 && { examples: field.examples }),
  }
}

/** Not as `anyOf: [X, null]`: editors would not show the description and the examples of X. */
function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, anyOf } = schema
  return {
    ...schema,
    ...(typeof type === 'string' && { type: [type, 'null'] }),
    ...(Array.isArray(type) && { type: [...type, 'null'] }),
    ...(Array.isArray(values) && { enum: [...values, null] }),
    ...(Array.isArray(anyOf) && { anyOf: [...anyOf, { type: 'null' }] }),
  }
}
