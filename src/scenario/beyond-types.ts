import {
  banLengths,
  callCounts,
  clockScales,
  clockStarts,
  escalationFactors,
  keyNames,
  petCounts,
  petIds,
  planNames,
  quotas,
  seeds,
} from '../emulator/constraints.ts'
import { anyDuration, anyInstant, anyInt64, type Constraint, shownTexts } from '../files/constraint.ts'
import type { Path } from '../files/show.ts'
import type { QuotaFields, ScenarioFile } from './file.ts'
import type { Objection } from './objection.ts'
import { check, checkName } from './ranges.ts'
import { rulesOutOfRange } from './rules-out-of-range.ts'

/**
 * What TypeScript cannot say of a scenario that is written as an object, checked without the schema library. In a
 * file the schema has said all of this already.
 */
export function outOfRange(file: ScenarioFile): readonly Objection[] {
  const { clock, pets, bans, deprecation } = file
  const keys = Object.entries(file.keys ?? {})
  const plans = Object.entries(file.plans ?? {})
  const banned = bans === 'off' ? undefined : bans
  return [
    ...check(['title'], file.title, shownTexts),
    ...check(['description'], file.description, shownTexts),
    ...check(['seed'], file.seed, seeds),
    ...check(['clock', 'at'], clock?.at, clockStarts),
    ...check(['clock', 'scale'], clock?.scale, clockScales),
    ...plans.flatMap(([name, quota]) => [
      ...checkName(['plans', name], planNames),
      ...checkCalls(['plans', name], quota, quotas),
    ]),
    ...rulesOutOfRange(file.rules ?? []),
    ...keys.flatMap(([name, key]) => [
      ...checkName(['keys', name], keyNames),
      ...checkCalls(['keys', name, 'limits'], key?.limits, quotas),
      ...checkCalls(['keys', name, 'used'], key?.used, callCounts),
      ...check(['keys', name, 'strikes'], key?.strikes, callCounts),
      ...check(['keys', name, 'banned'], key?.banned, banLengths),
      ...check(['keys', name, 'expires'], key?.expires, anyInstant),
    ]),
    ...check(['pets', 'count'], pets?.count, petCounts),
    ...check(['pets', 'firstId'], pets?.firstId, petIds),
    ...(pets?.gone ?? []).flatMap((id, index) => check(['pets', 'gone', index], id, petIds)),
    ...(pets?.add ?? []).flatMap(({ categoryId }, index) =>
      check(['pets', 'add', index, 'categoryId'], categoryId, anyInt64),
    ),
    ...check(['bans', 'after'], banned?.after, quotas),
    ...check(['bans', 'for'], banned?.for, banLengths),
    ...check(['bans', 'grace'], banned?.grace, anyDuration),
    ...check(['bans', 'escalate', 'factor'], banned?.escalate?.factor, escalationFactors),
    ...check(['bans', 'escalate', 'max'], banned?.escalate?.max, banLengths),
    ...check(['deprecation', 'since'], deprecation?.since, anyInstant),
    ...check(['deprecation', 'removedAt'], deprecation?.removedAt, anyInstant),
    ...(deprecation?.brownouts ?? []).flatMap(({ from, to }, index) => [
      ...check(['deprecation', 'brownouts', index, 'from'], from, anyInstant),
      ...check(['deprecation', 'brownouts', index, 'to'], to, anyInstant),
    ]),
  ]
}

function checkCalls(
  path: Path,
  calls: QuotaFields | null | undefined,
  constraint: Constraint,
): readonly Objection[] {
  return [
    ...check([...path, 'minute'], calls?.minute, constraint),
    ...check([...path, 'day'], calls?.day, constraint),
  ]
}
