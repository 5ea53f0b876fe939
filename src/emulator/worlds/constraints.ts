import {
  type Constraint,
  durations,
  instants,
  int64s,
  int64sOrDigits,
  numbers,
  texts,
  wholeNumbers,
} from '../../base/text/constraint.ts'
import { lastClockInstant } from '../../base/time/clock.ts'
import { durationPattern, parseDuration } from '../../base/time/duration.ts'
import { keyTextPattern } from '../../service/keys/credential.ts'

/* What settings of a world must be, in a scenario, in a program and as a flag. */

/** Fits in the memory of a small machine. */
const maxPetCount = 1_000_000

export const seeds = wholeNumbers('a whole number (0 or more)', 0)
export const petCounts = wholeNumbers(`a whole number of pets from 0 to ${maxPetCount}`, 0, maxPetCount)
export const petIds = int64sOrDigits('an id (a whole number of at most 64 bits, 1 or more)', 1)
/** In files, whose readers are exact. */
export const ownPetIds = int64s(petIds.expected, 1)
export const quotas = wholeNumbers('a whole number of calls (1 or more)', 1)
/** So large that a program never counts beyond 2^53, where counting stops being exact. */
export const callCounts = wholeNumbers('a whole number of calls (0 to 2^52)', 0, 2 ** 52)

export const keyNames = texts('an API key (letters, digits and . _ ~ + / -)', keyTextPattern)
export const planNames = texts('a name of letters, digits and . _ -, at most 64', /^[A-Za-z0-9._-]{1,64}$/)

/** Headers count seconds since 1970. */
export const clockStarts = instants(
  'an instant from 1970 to 9899, such as 2026-03-02T09:00:00Z',
  0,
  lastClockInstant,
)

/** A duration with a sign, of at most a day: a client's clock that is further off is a broken one. */
export const clockOffsets: Constraint = {
  type: 'text',
  expected: 'a duration of at most 24h with a sign, such as 3m or -3m',
  accepts: value => typeof value === 'string' && parseOffset(value) !== undefined,
  schema: { type: 'string', pattern: `^[+-]?${durationPattern.slice(1)}` },
}

/** Milliseconds; undefined if the text is no offset. */
export function parseOffset(text: string): number | undefined {
  const [, sign, length = ''] = /^([+-]?)(.*)$/.exec(text) ?? []
  const ms = parseDuration(length)
  if (ms === undefined || ms > 86_400_000) return undefined
  return sign === '-' ? -ms : ms
}

export const sharedRates = numbers('a number of calls from 0.01 to 1000000', 0.01, 1_000_000)

/** On a slower clock, waiting for a day's limit would take the client more than three years. */
export const clockScales = numbers(
  'a number from 0.001 to 86400 (to stop the clock, use frozen)',
  0.001,
  86_400,
)

/** A ban starts at the full second before its call (A10): a shorter one could end before the reply. */
export const banLengths = durations('a duration of at least 1s, such as 90s or 15m', 1_000)
export const escalationFactors = numbers('a number of at least 1', 1)

export const errorCodes = texts('a code of the Error shape', /^[A-Za-z0-9._-]{1,100}$/)

export const sandboxNames = texts(
  'the name of a sandbox: 1 to 64 letters, digits and . _ -',
  /^[A-Za-z0-9._-]{1,64}$/,
)
