import type { Field } from '../../../control/fields/field.ts'
import { jsonSchema } from '../../../control/fields/json-schema.ts'
import { scenarioFile } from '../../../control/scenario/settings/scenario-file.ts'
import type { JsonSchema } from '../routing/views.ts'

const refTo = (name: string) => `#/components/schemas/${name}`

/** The schema of a declared shape. A whole scenario within it is a reference. */
export function schemaOf({ shape, about, examples }: Pick<Field, 'shape'> & Partial<Field>): JsonSchema {
  return {
    ...jsonSchema(shape, refTo('Scenario')),
    ...(about && { description: about }),
    ...(examples !== undefined && examples.length > 0 && { examples }),
  }
}

/** The schemas of a description that have a name of their own. */
export function createComponents() {
  const all: Record<string, JsonSchema> = { Scenario: schemaOf({ shape: scenarioFile }), Error: errorSchema }
  const move = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(move)
    if (typeof part !== 'object' || part === null) return part
    const { title, ...rest } = Object.fromEntries(
      Object.entries(part).map(([name, inner]) => [name, name === 'examples' ? inner : move(inner)]),
    )
    // A property may be called title, too: its schema is no string.
    if (typeof title !== 'string') return title === undefined ? rest : { title, ...rest }
    all[title] = rest
    return { $ref: refTo(title) }
  }
  return {
    all,
    /** Moves the named schemas within a schema here, and leaves references to them. */
    move: (schema: JsonSchema) => move(schema) as JsonSchema,
  }
}

const errorSchema: JsonSchema = {
  type: 'object',
  required: ['code', 'message', 'status'],
  properties: {
    code: { type: 'string', description: 'Machine-readable error code.', examples: ['invalid_command'] },
    message: { type: 'string', description: 'Every mistake.' },
    status: { type: 'integer', description: 'The HTTP status code.', examples: [400] },
  },
}
