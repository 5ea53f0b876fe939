import * as z from 'zod'
import { parseInt64, toInt64 } from '../json/int64.ts'
import type { Int64 } from '../json/value.ts'
import { durationPattern, parseDuration } from '../time/duration.ts'
import { instantPattern, parseInstant } from '../time/instant.ts'

/*
 * The leaves that schemas are made of. Each says in one phrase what it expects, whatever is wrong with what was
 * found, and bears what an editor shows. What zod cannot print as JSON Schema carries its own.
 */

export function wholeNumber(expected: string, least: number, most: number = Number.MAX_SAFE_INTEGER) {
  return z.int({ error: expected }).min(least, { error: expected }).max(most, { error: expected })
}

export function text(expected: string, pattern: RegExp) {
  return z.string({ error: expected }).regex(pattern, { error: expected })
}

/** Exact beyond 2^53: a bigint there, and a number up to it. */
export function int64(expected: string, least: Int64) {
  const accepts = (value: unknown): value is Int64 => {
    if (typeof value !== 'number' && typeof value !== 'bigint') return false
    const exact = toInt64(value)
    return exact !== undefined && exact >= least
  }
  return z
    .custom<Int64>(accepts, { error: expected })
    .meta({ type: 'integer', format: 'int64', minimum: Number(least) })
}

/** An int64 as JSON from anywhere has it: beyond 2^53 a client may send its digits as text. */
export function int64OrDigits(expected: string, least: Int64) {
  const read = (value: unknown): Int64 | undefined => {
    if (typeof value === 'string') return parseInt64(value)
    return typeof value === 'number' || typeof value === 'bigint' ? toInt64(value) : undefined
  }
  return z
    .custom<Int64>(value => (read(value) ?? Number.NEGATIVE_INFINITY) >= least, { error: expected })
    .meta({ type: ['integer', 'string'], format: 'int64', pattern: '^(0|-?[1-9][0-9]{0,18})$' })
    .overwrite(value => read(value) ?? value)
}

export function duration(expected = 'a duration, such as 90s, 15m or 250ms') {
  return z
    .custom<string>(value => typeof value === 'string' && parseDuration(value) !== undefined, {
      error: ({ input }) =>
        typeof input === 'number' ? `a duration with its unit (write ${input}s or ${input}ms)` : expected,
    })
    .meta({ type: 'string', pattern: durationPattern })
}

export function instant(expected = 'an instant, such as 2026-03-02T09:00:00Z') {
  return z
    .custom<string>(value => typeof value === 'string' && parseInstant(value) !== undefined, {
      error: expected,
    })
    .meta({ type: 'string', pattern: instantPattern })
}
