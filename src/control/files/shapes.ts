import * as z from 'zod'
import { parseInt64 } from '../../base/json/int64.ts'
import type { Int64 } from '../../base/json/value.ts'
import {
  anyDuration,
  anyInstant,
  type Constraint,
  type Int64Constraint,
  type NumberConstraint,
  shownTexts,
  type TextConstraint,
} from '../../base/text/constraint.ts'
import { durationPattern } from '../../base/time/duration.ts'
import { instantPattern } from '../../base/time/instant.ts'

/*
 * The leaves that schemas are made of: constraints, in the schema library's form. Each says in one phrase what it
 * expects, whatever is wrong with what was found, and bears what an editor shows. What zod cannot print as JSON Schema
 * carries its own.
 */

export function wholeNumber({ expected, least, most }: NumberConstraint) {
  return z.int({ error: expected }).min(least, { error: expected }).max(most, { error: expected })
}

export function number({ expected, least, most }: NumberConstraint) {
  const schema = z.number({ error: expected }).gte(least, { error: expected })
  return Number.isFinite(most) ? schema.lte(most, { error: expected }) : schema
}

export function text({ expected, pattern }: TextConstraint) {
  return z.string({ error: expected }).regex(pattern, { error: expected })
}

/** A text that people are shown. */
export function shownText() {
  return z.string().regex(shownTexts.pattern, { error: shownTexts.expected })
}

/** Exact beyond 2^53: a bigint there, and a number up to it. */
export function int64({ expected, accepts, least }: Int64Constraint) {
  return z
    .custom<Int64>(accepts, { error: expected })
    .meta({ type: 'integer', format: 'int64', minimum: Number(least) })
}

/** An int64 as JSON from anywhere has it: beyond 2^53 a client may send its digits as text. */
export function int64OrDigits({ expected, accepts }: Int64Constraint) {
  const read = (value: unknown) => (typeof value === 'string' ? parseInt64(value) : value)
  return z
    .custom<Int64>(value => accepts(read(value)), { error: expected })
    .meta({ type: ['integer', 'string'], format: 'int64', pattern: '^(0|-?[1-9][0-9]{0,18})$' })
    .overwrite(value => parseInt64(`${value}`) ?? value)
}

export function duration({ expected, accepts }: Constraint = anyDuration) {
  return z
    .custom<string>(accepts, {
      error: ({ input }) =>
        typeof input === 'number' && input >= 0 && Number.isFinite(input)
          ? `a duration with its unit (write ${input}s or ${input}ms)`
          : expected,
    })
    .meta({ type: 'string', pattern: durationPattern })
}

export function instant({ expected, accepts }: Constraint = anyInstant) {
  return z.custom<string>(accepts, { error: expected }).meta({ type: 'string', pattern: instantPattern })
}
