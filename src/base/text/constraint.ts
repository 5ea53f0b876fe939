import { toInt64 } from '../json/int64.ts'
import type { Int64 } from '../json/value.ts'
import { parseDuration } from '../time/duration.ts'
import { parseInstant } from '../time/instant.ts'

/** What a value must be: one definition for the schema of files and for the objects of programs, which pass no schema. */
export interface Constraint {
  /** Follows the word "expected". */
  readonly expected: string
  readonly accepts: (value: unknown) => boolean
}

export interface NumberConstraint extends Constraint {
  readonly least: number
  /** Infinity: there is no greatest one, but infinite is no number. */
  readonly most: number
}

export interface Int64Constraint extends Constraint {
  readonly least: Int64
}

export interface TextConstraint extends Constraint {
  readonly pattern: RegExp
}

export function numbers(
  expected: string,
  least: number,
  most: number = Number.POSITIVE_INFINITY,
): NumberConstraint {
  const accepts = (value: unknown) =>
    typeof value === 'number' && Number.isFinite(value) && value >= least && value <= most
  return { expected, least, most, accepts }
}

export function wholeNumbers(
  expected: string,
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
): NumberConstraint {
  const range = numbers(expected, least, most)
  return { ...range, accepts: value => Number.isInteger(value) && range.accepts(value) }
}

export function int64s(expected: string, least: Int64): Int64Constraint {
  const accepts = (value: unknown) => {
    if (typeof value !== 'number' && typeof value !== 'bigint') return false
    const exact = toInt64(value)
    return exact !== undefined && exact >= least
  }
  return { expected, least, accepts }
}

export function texts(expected: string, pattern: RegExp): TextConstraint {
  return { expected, pattern, accepts: value => typeof value === 'string' && pattern.test(value) }
}

/** `least`: milliseconds. */
export function durations(expected: string, least: number): Constraint {
  return { expected, accepts: value => typeof value === 'string' && (parseDuration(value) ?? -1) >= least }
}

/** `first` and `last`: milliseconds since the epoch. */
export function instants(
  expected: string,
  first: number = Number.NEGATIVE_INFINITY,
  last: number = Number.POSITIVE_INFINITY,
): Constraint {
  const accepts = (value: unknown) => {
    const instant = typeof value === 'string' ? parseInstant(value) : undefined
    return instant !== undefined && instant >= first && instant <= last
  }
  return { expected, accepts }
}

export const anyDuration = durations('a duration, such as 90s, 15m or 250ms', 0)
export const anyInstant = instants('an instant, such as 2026-03-02T09:00:00Z')
export const anyInt64 = int64s('a whole number of at most 64 bits', -(2n ** 63n))
/** What people are shown, in a terminal too: none of the characters that steer one, but lines and tabs. */
export const shownTexts = texts('text without control characters', /^[\P{Cc}\t\n\r]*$/u)
