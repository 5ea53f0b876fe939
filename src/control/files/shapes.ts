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
 * Constraints as schemas of zod. Each has one phrase for what it expects. Where zod cannot print JSON Schema, `meta` holds it.
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

export function shownText() {
  return z.string().regex(shownTexts.pattern, { error: shownTexts.expected })
}

/** A number up to 2^53, a bigint beyond. */
export function int64({ expected, accepts, least }: Int64Constraint) {
  return z
    .custom<Int64>(accepts, { error: expected })
    .meta({ type: 'integer', format: 'int64', minimum: Number(least) })
}

/** An int64 from a JSON client, which may send digits as text beyond 2^53. */
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
