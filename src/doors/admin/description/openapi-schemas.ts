import * as z from 'zod'

export type JsonSchema = z.core.JSONSchema.BaseSchema

/** Collects the schemas of a description. Named schemas go to its components. */
export interface Schemas {
  /** Describes a schema, and adds the named schemas in it to the components. */
  readonly describe: (schema: z.ZodType, of: string, io: 'input' | 'output') => JsonSchema
  readonly all: () => Readonly<Record<string, JsonSchema>>
}

export function createSchemas(): Schemas {
  const named: Record<string, JsonSchema> = {}
  return {
    describe: (schema, of, io) => {
      const { $schema, $defs, ...own } = z.toJSONSchema(schema, {
        target: 'draft-2020-12',
        io,
        unrepresentable: 'any',
        override: ({ jsonSchema }) => foldNull(jsonSchema),
      })
      const nameOf = (definition: string) =>
        definition.startsWith('__') ? `${of}${definition.replace(/\D/g, '')}` : definition
      const moved = (part: unknown) => moveReferences(part, nameOf) as JsonSchema
      for (const [name, definition] of Object.entries($defs ?? {})) named[nameOf(name)] = moved(definition)
      return moved(own)
    },
    all: () => ({ ...named, Error: errorSchema }),
  }
}

function moveReferences(part: unknown, nameOf: (definition: string) => string): unknown {
  if (Array.isArray(part)) return part.map(item => moveReferences(item, nameOf))
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part).map(([name, inner]) =>
      name === '$ref' && typeof inner === 'string'
        ? [name, `#/components/schemas/${nameOf(inner.slice('#/$defs/'.length))}`]
        : [name, moveReferences(inner, nameOf)],
    ),
  )
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

/** `anyOf: [X, null]` becomes X that may be null: editors show the description and examples of X only then. */
function foldNull(schema: JsonSchema): void {
  const [inner, none] = schema.anyOf ?? []
  if (schema.anyOf?.length !== 2 || inner === undefined || none?.type !== 'null') return
  delete schema.anyOf
  Object.assign(schema, inner)
  if (inner.enum !== undefined) schema.enum = [...inner.enum, null]
  else if (inner.anyOf !== undefined) schema.anyOf = [...inner.anyOf, none]
  if (typeof inner.type === 'string') Object.assign(schema, { type: [inner.type, 'null'] })
}
