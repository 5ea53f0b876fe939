import * as z from 'zod'
import { scenarioSchema } from './schema.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** The scenario schema for editors: JSON Schema 2020-12. */
export function scenarioJsonSchema(): JsonSchema {
  const { $schema, ...schema } = z.toJSONSchema(scenarioSchema, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => foldNull(jsonSchema),
  })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A scenario of pet-mock',
    description: 'A situation of the Pet Adoption Service: what differs from the usual one.',
    ...schema,
  }
}

/** `anyOf: [X, null]` becomes X that may be null: editors show the description and examples of X only then. */
export function foldNull(schema: JsonSchema): void {
  const [inner, none] = schema.anyOf ?? []
  if (schema.anyOf?.length !== 2 || inner === undefined || none?.type !== 'null') return
  delete schema.anyOf
  Object.assign(schema, inner)
  if (inner.enum !== undefined) schema.enum = [...inner.enum, null]
  else if (inner.anyOf !== undefined) schema.anyOf = [...inner.anyOf, none]
  if (typeof inner.type === 'string') Object.assign(schema, { type: [inner.type, 'null'] })
}
