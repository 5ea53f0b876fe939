import type { Path } from '../files/show.ts'
import { showValue } from '../files/show.ts'
import { toInt64 } from '../json/int64.ts'
import type { Int64 } from '../json/value.ts'
import { parseDuration } from '../time/duration.ts'
import { parseInstant } from '../time/instant.ts'
import { maxPetCount } from './effective.ts'
import type { QuotaFields, ScenarioFile } from './file.ts'
import type { Objection } from './objection.ts'

/**
 * What TypeScript cannot say of a scenario that is written as an object, checked without the schema library. In a
 * file the schema has said all of this already.
 */
export function outOfRange(file: ScenarioFile): readonly Objection[] {
  const { clock, pets, bans, deprecation } = file
  const keys = Object.entries(file.keys ?? {})
  const plans = Object.entries(file.plans ?? {})
  const banned = bans === 'off' || bans === null ? undefined : bans
  return [
    ...instant(['clock', 'at'], clock?.at),
    ...number(
      ['clock', 'scale'],
      clock?.scale,
      'a number above 0 and up to 86400',
      scale => scale > 0 && scale <= 86_400,
    ),
    ...number(
      ['pets', 'count'],
      pets?.count,
      `a whole number of pets from 0 to ${maxPetCount}`,
      within(0, maxPetCount),
    ),
    ...id(['pets', 'firstId'], pets?.firstId),
    ...(pets?.gone ?? []).flatMap((gone, index) => id(['pets', 'gone', index], gone)),
    ...(pets?.add ?? []).flatMap(({ categoryId }, index) =>
      id(['pets', 'add', index, 'categoryId'], categoryId),
    ),
    ...number(['bans', 'after'], banned?.after, 'a whole number of calls (1 or more)', within(1)),
    ...duration(['bans', 'for'], banned?.for),
    ...duration(['bans', 'grace'], banned?.grace),
    ...duration(['bans', 'escalate', 'max'], banned?.escalate?.max),
    ...instant(['deprecation', 'since'], deprecation?.since),
    ...instant(['deprecation', 'removedAt'], deprecation?.removedAt),
    ...(deprecation?.brownouts ?? []).flatMap(({ from, to }, index) => [
      ...instant(['deprecation', 'brownouts', index, 'from'], from),
      ...instant(['deprecation', 'brownouts', index, 'to'], to),
    ]),
    ...plans.flatMap(([name, quota]) => quotas(['plans', name], quota, 1)),
    ...keys.flatMap(([name, key]) => [
      ...quotas(['keys', name, 'limits'], key?.limits, 1),
      ...quotas(['keys', name, 'used'], key?.used, 0),
      ...duration(['keys', name, 'banned'], key?.banned),
      ...instant(['keys', name, 'expires'], key?.expires),
    ]),
  ]
}

function quotas(path: Path, quota: QuotaFields | null | undefined, least: number): readonly Objection[] {
  const expected = `a whole number of calls (${least} or more)`
  return [
    ...number([...path, 'minute'], quota?.minute, expected, within(least)),
    ...number([...path, 'day'], quota?.day, expected, within(least)),
  ]
}

function number(
  path: Path,
  value: unknown,
  expected: string,
  accepts: (value: number) => boolean,
): readonly Objection[] {
  if (value === undefined || value === null || (typeof value === 'number' && accepts(value))) return []
  return [{ path, message: `expected ${expected}, found ${showValue(value)}` }]
}

function within(least: number, most: number = Number.MAX_SAFE_INTEGER): (value: number) => boolean {
  return value => Number.isInteger(value) && value >= least && value <= most
}

function id(path: Path, value: Int64 | null | undefined): readonly Objection[] {
  if (value === undefined || value === null || toInt64(value) !== undefined) return []
  return [
    {
      path,
      message: `expected a whole number of at most 64 bits (a bigint beyond 2^53), found ${showValue(value)}`,
    },
  ]
}

function duration(path: Path, text: string | null | undefined): readonly Objection[] {
  if (text === undefined || text === null || parseDuration(text) !== undefined) return []
  return [{ path, message: `expected a duration, such as 90s, 15m or 250ms, found ${showValue(text)}` }]
}

function instant(path: Path, text: string | null | undefined): readonly Objection[] {
  if (text === undefined || text === null || parseInstant(text) !== undefined) return []
  return [{ path, message: `expected an instant, such as 2026-03-02T09:00:00Z, found ${showValue(text)}` }]
}
