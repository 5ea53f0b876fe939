import { type Path, showValue } from '../files/show.ts'
import { toInt64 } from '../json/int64.ts'
import type { Int64 } from '../json/value.ts'
import { parseDuration } from '../time/duration.ts'
import { parseInstant } from '../time/instant.ts'
import type { Objection } from './objection.ts'

/* What is wrong with one value of a scenario that is written as an object; nothing, when it is not there. */

export function number(
  path: Path,
  value: unknown,
  expected: string,
  accepts: (value: number) => boolean,
): readonly Objection[] {
  if (value === undefined || value === null || (typeof value === 'number' && accepts(value))) return []
  return [{ path, message: `expected ${expected}, found ${showValue(value)}` }]
}

export function within(least: number, most: number = Number.MAX_SAFE_INTEGER): (value: number) => boolean {
  return value => Number.isInteger(value) && value >= least && value <= most
}

export function id(path: Path, value: Int64 | null | undefined): readonly Objection[] {
  if (value === undefined || value === null || toInt64(value) !== undefined) return []
  return [
    {
      path,
      message: `expected a whole number of at most 64 bits (a bigint beyond 2^53), found ${showValue(value)}`,
    },
  ]
}

export function duration(path: Path, text: string | null | undefined): readonly Objection[] {
  if (text === undefined || text === null || parseDuration(text) !== undefined) return []
  return [{ path, message: `expected a duration, such as 90s, 15m or 250ms, found ${showValue(text)}` }]
}

export function instant(path: Path, text: string | null | undefined): readonly Objection[] {
  if (text === undefined || text === null || parseInstant(text) !== undefined) return []
  return [{ path, message: `expected an instant, such as 2026-03-02T09:00:00Z, found ${showValue(text)}` }]
}
