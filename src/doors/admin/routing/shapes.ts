import * as z from 'zod'
import { int64s } from '../../../base/text/constraint.ts'
import { instantPattern } from '../../../base/time/instant.ts'
import { int64OrDigits } from '../../../control/files/shapes.ts'

/* The leaves of answers, which describe what is sent and check nothing, and of queries, which are texts. */

export function instantView(description?: string) {
  return z.string().meta({
    ...(description !== undefined && { description }),
    pattern: instantPattern,
    examples: ['2026-03-02T09:01:00Z'],
  })
}

/** An int64: beyond 2^53 its digits, as text. */
export function int64View(description: string) {
  return z.union([z.int(), z.string()]).meta({ description, examples: [5, '9007199254740993'] })
}

export function countView(description: string) {
  return z.int().min(0).meta({ description })
}

/** `null` where there is nothing to tell: the field is there for whoever looks for it. */
export function orNull<T extends z.ZodType>(schema: T) {
  return schema.nullable()
}

export function int64Text(expected: string) {
  return int64OrDigits(int64s(`${expected} (a whole number of at most 64 bits)`, -(2n ** 63n)))
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
