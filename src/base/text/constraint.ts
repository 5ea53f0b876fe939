import { parseInt64, toInt64 } from '../json/int64.ts'
import type { Int64 } from '../json/value.ts'
import { durationPattern, parseDuration } from '../time/duration.ts'
import { instantPattern, parseInstant } from '../time/instant.ts'

/** What one value must be, in three forms: a phrase for people, a test, and JSON Schema. */
export interface Constraint {
  readonly type: 'text' | 'number' | 'int64' | 'duration' | 'instant' | 'flag' | 'choice'
  /** Follows the word "expected". */
  readonly expected: string
  readonly accepts: (value: unknown) => boolean
  /** All of it that JSON Schema can express. */
  readonly schema: Readonly<Record<string, unknown>>
  /** Those of a choice. */
  readonly values?: readonly (string | number)[]
}

export function numbers(expected: string, least: number, most = Number.POSITIVE_INFINITY): Constraint {
  return {
    type: 'number',
    expected,
    accepts: value => typeof value === 'number' && Number.isFinite(value) && value >= least && value <= most,
    schema: {
      type: 'number',
      ...(Number.isFinite(least) && { minimum: least }),
      ...(Number.isFinite(most) && { maximum: most }),
    },
  }
}

export function wholeNumbers(expected: string, least: number, most = Number.MAX_SAFE_INTEGER): Constraint {
  const range = numbers(expected, least, most)
  return {
    ...range,
    accepts: value => Number.isInteger(value) && range.accepts(value),
    schema: { ...range.schema, type: 'integer' },
  }
}

/** Exact beyond 2^53: a bigint there, a number up to it. */
export function int64s(expected: string, least: Int64): Constraint {
  return {
    type: 'int64',
    expected,
    accepts: value => {
      if (typeof value !== 'number' && typeof value !== 'bigint') return false
      const exact = toInt64(value)
      return exact !== undefined && exact >= least
    },
    schema: { type: 'integer', format: 'int64', minimum: Number(least) },
  }
}

/** An int64 from any JSON client: beyond 2^53 some send its digits as text. */
export function int64sOrDigits(expected: string, least: Int64 = smallestInt64): Constraint {
  const { accepts } = int64s(expected, least)
  return {
    type: 'int64',
    expected,
    accepts: value => accepts(typeof value === 'string' ? parseInt64(value) : value),
    schema: {
      type: ['integer', 'string'],
      format: 'int64',
      pattern: '^(0|-?[1-9][0-9]{0,18})$',
      ...(least > smallestInt64 && { minimum: Number(least) }),
    },
  }
}

export function texts(expected: string, pattern: RegExp): Constraint & { readonly pattern: RegExp } {
  return {
    type: 'text',
    expected,
    pattern,
    accepts: value => typeof value === 'string' && pattern.test(value),
    schema: { type: 'string', pattern: pattern.source },
  }
}

/** `least` and `most`: milliseconds. */
export function durations(expected: string, least: number, most = Number.POSITIVE_INFINITY): Constraint {
  return {
    type: 'duration',
    expected,
    accepts: value => {
      const ms = typeof value === 'string' ? parseDuration(value) : undefined
      return ms !== undefined && ms >= least && ms <= most
    },
    schema: { type: 'string', pattern: durationPattern },
  }
}

/** `first` and `last`: milliseconds since the epoch. */
export function instants(
  expected: string,
  first = Number.NEGATIVE_INFINITY,
  last = Number.POSITIVE_INFINITY,
): Constraint {
  return {
    type: 'instant',
    expected,
    accepts: value => {
      const instant = typeof value === 'string' ? parseInstant(value) : undefined
      return instant !== undefined && instant >= first && instant <= last
    },
    schema: { type: 'string', pattern: instantPattern },
  }
}

export function choices(...values: readonly (string | number)[]): Constraint {
  const types = [...new Set(values.map(value => typeof value))]
  return {
    type: 'choice',
    values,
    expected: values.length === 1 ? `${values[0]}` : `one of ${values.join(', ')}`,
    accepts: value => values.some(known => known === value),
    schema: {
      ...(types.length === 1 && { type: types[0] }),
      ...(values.length === 1 ? { const: values[0] } : { enum: values }),
    },
  }
}

export const flags: Constraint = {
  type: 'flag',
  expected: 'true or false',
  accepts: value => typeof value === 'boolean',
  schema: { type: 'boolean' },
}

const smallestInt64 = -(2n ** 63n)

export const anyText: Constraint = {
  type: 'text',
  expected: 'text',
  accepts: value => typeof value === 'string',
  schema: { type: 'string' },
}
export const anyDuration = durations('a duration, such as 90s, 15m or 250ms', 0)
export const anyInstant = instants('an instant, such as 2026-03-02T09:00:00Z')
export const anyInt64 = int64s('a whole number of at most 64 bits', smallestInt64)
/** Text for a terminal: no control characters other than line breaks and tabs. */
export const shownTexts = texts('text without control characters', /^[\P{Cc}\t\n\r]*$/u)
