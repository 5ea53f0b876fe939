import type { Path } from '../files/show.ts'
import { maxPetCount } from './effective.ts'
import type { QuotaFields, ScenarioFile } from './file.ts'
import type { Objection } from './objection.ts'
import { duration, id, instant, number, within } from './ranges.ts'
import { rulesOutOfRange } from './rules-out-of-range.ts'

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
    ...rulesOutOfRange(file.rules ?? []),
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
