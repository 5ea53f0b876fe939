import * as z from 'zod'
import { parseInt64 } from '../../../base/json/int64.ts'
import type { Int64 } from '../../../base/json/value.ts'
import { anyDuration, int64sOrDigits, type TextConstraint } from '../../../base/text/constraint.ts'
import { instantPattern } from '../../../base/time/instant.ts'
import { expectation } from '../../../control/fields/values.ts'

/* Fields of answers, which the schemas only describe, and of queries, whose values are texts. */

export function textView(description: string, ...examples: readonly string[]) {
  return z.string().meta({ description, ...(examples.length > 0 && { examples }) })
}

export function instantView(description?: string) {
  return z.string().meta({
    ...(description !== undefined && { description }),
    pattern: instantPattern,
    examples: ['2026-03-02T09:01:00Z'],
  })
}

/** An int64. Beyond 2^53, it is a string of digits. */
export function int64View(description: string) {
  return z.union([z.int(), z.string()]).meta({ description, examples: [5, '9007199254740993'] })
}

export function countView(description: string) {
  return z.int().min(0).meta({ description })
}

export function flagView(description: string) {
  return z.boolean().meta({ description })
}

/** Answers have every field. `null` stands for a missing value. */
export function orNull<T extends z.ZodType>(schema: T) {
  return schema.nullable()
}

export function patternText({ expected, pattern }: TextConstraint) {
  return z.string({ error: expected }).regex(pattern, { error: expected })
}

export function durationText() {
  const error = ({ input }: { readonly input?: unknown }) => expectation(anyDuration, input)
  return z.custom<string>(anyDuration.accepts, { error }).meta(anyDuration.schema)
}

export function int64Text(name: string) {
  const { accepts, schema, expected } = int64sOrDigits(`${name} (a whole number of at most 64 bits)`)
  return z
    .custom<Int64>(accepts, { error: expected })
    .meta(schema)
    .overwrite(value => parseInt64(`${value}`) ?? value)
}

export function numberText(expected: string, least: number, most: number) {
  const read = (value: unknown) =>
    typeof value === 'string' && /^[0-9]{1,15}$/.test(value) ? Number(value) : value
  const fits = (value: unknown) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most
  return z
    .custom<number>(value => fits(read(value)), { error: expected })
    .overwrite(value => Number(read(value)))
    .meta({ type: 'integer', minimum: least, maximum: most })
}

/** A number of requests, in a query or a body. */
export function requestNumber(description: string, example: number) {
  const schema = numberText('a whole number of requests (1 or more)', 1, Number.MAX_SAFE_INTEGER)
  return optional(schema, description, example)
}

export function optional<T extends z.ZodType>(
  schema: T,
  description: string,
  ...examples: readonly unknown[]
) {
  return schema.meta({ description, ...(examples.length > 0 && { examples }) }).optional()
}
