import { instantPattern } from '../../../base/time/instant.ts'

/* Answers: their JSON Schemas, which check nothing, and their values. */

export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly examples?: readonly unknown[]
  readonly $ref?: string
  readonly [keyword: string]: unknown
}

export function of(type: string, description?: string, ...examples: readonly unknown[]): JsonSchema {
  return { type, ...(description !== undefined && { description }), ...(examples.length > 0 && { examples }) }
}

export const anyText = of('string')

export function text(description: string, ...examples: readonly string[]): JsonSchema {
  return of('string', description, ...examples)
}

export function instant(description?: string): JsonSchema {
  return { ...of('string', description, '2026-03-02T09:01:00Z'), pattern: instantPattern }
}

/** An int64. Beyond 2^53, it is a string of digits. */
export function int64(description: string): JsonSchema {
  return { type: ['integer', 'string'], description, examples: [5, '9007199254740993'] }
}

export function count(description: string): JsonSchema {
  return { ...of('integer', description), minimum: 0 }
}

export function flag(description: string): JsonSchema {
  return of('boolean', description)
}

export function choice(values: readonly string[], description?: string): JsonSchema {
  return { ...of('string', description), enum: values }
}

export function list(items: JsonSchema, description?: string): JsonSchema {
  return { ...of('array', description), items }
}

/** `Name`: the fields that must be there, to keep a schema and the type of its values in step. */
export function object<Name extends string = string>(
  required: Readonly<Record<Name, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  }
}

/** An object whose schema the description holds once, under its name. */
export function named<Name extends string = string>(
  title: string,
  ...fields: Parameters<typeof object<Name>>
): JsonSchema {
  return { ...object(...fields), title }
}

/** The fields of a response by name: the schema of each, and how its value comes from what the response shows. */
type Parts<Source> = Readonly<
  Record<string, readonly [schema: JsonSchema, value: (source: Source) => unknown]>
>

/** An answer that shows a `Source`, with fields that are declared once. `title`: see `named`. */
export function answerOf<Source>(title: string, required: Parts<Source>, optional: Parts<Source> = {}) {
  const parts = Object.entries({ ...required, ...optional })
  const schemas = (from: Parts<Source>) =>
    Object.fromEntries(Object.entries(from).map(([name, [schema]]) => [name, schema]))
  return {
    schema: named(title, schemas(required), schemas(optional)),
    show: (source: Source): Readonly<Record<string, unknown>> => {
      const shown: Record<string, unknown> = {}
      for (const [name, [, value]] of parts) shown[name] = value(source)
      return shown
    },
  }
}

/** Answers have every field. `null` stands for a missing value. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type = [], enum: values } = schema
  return { ...schema, type: [type, 'null'].flat(), ...(values && { enum: [...values, null] }) }
}
