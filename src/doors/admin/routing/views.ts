import { instantPattern } from '../../../base/time/instant.ts'

/* The JSON Schemas of answers. They describe answers, and check nothing. */

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

/** A schema that the description holds once, under its name. */
export function named(title: string, schema: JsonSchema): JsonSchema {
  return { ...schema, title }
}

/** Answers have every field. `null` stands for a missing value. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { type = [], enum: values } = schema
  return { ...schema, type: [type, 'null'].flat(), ...(values && { enum: [...values, null] }) }
}
