import * as z from 'zod'
import { parseInt64 } from '../../base/json/int64.ts'
import type { Int64 } from '../../base/json/value.ts'
import { anyDuration, int64sOrDigits, type TextConstraint } from '../../base/text/constraint.ts'

/* Constraints in the schema library's form. What zod cannot print as JSON Schema carries its own. */

export function text({ expected, pattern }: TextConstraint) {
  return z.string({ error: expected }).regex(pattern, { error: expected })
}

/** An int64 as JSON from anywhere has it: beyond 2^53 a client may send its digits as text. */
export function int64OrDigits(expected: string) {
  const { accepts, schema } = int64sOrDigits(expected)
  return z
    .custom<Int64>(accepts, { error: expected })
    .meta(schema)
    .overwrite(value => parseInt64(`${value}`) ?? value)
}

export function duration() {
  const { expected, accepts, schema } = anyDuration
  return z
    .custom<string>(accepts, {
      error: ({ input }) =>
        typeof input === 'number' && input >= 0 && Number.isFinite(input)
          ? `a duration with its unit (write ${input}s or ${input}ms)`
          : expected,
    })
    .meta(schema)
}
