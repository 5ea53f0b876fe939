import {
  anyDuration,
  anyInstant,
  anyInt64,
  type NumberConstraint,
  shownTexts,
} from '../../../base/text/constraint.ts'
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
} from '../../../emulator/worlds/constraints.ts'
import { petStatuses } from '../../../service/pets/pet.ts'
import type { Objection } from '../checks/objection.ts'
import type {
  BansFields,
  ClockFields,
  DeprecationFields,
  KeyFields,
  LimitsFields,
  PetsFields,
  QuotaFields,
  ScenarioFile,
} from '../file.ts'
import {
  anyText,
  fields,
  flag,
  isMap,
  itemFields,
  like,
  list,
  names,
  oneOf,
  orNull,
  type Shape,
  unlike,
} from './object-shapes.ts'
import { ruleShape } from './rule-object.ts'

type Pet = NonNullable<NonNullable<PetsFields['add']>[number]>
type Brownout = NonNullable<NonNullable<DeprecationFields['brownouts']>[number]>
type Escalation = NonNullable<BansFields['escalate']>

const instant = like(anyInstant)
const calls = (count: NumberConstraint) => fields<QuotaFields>({ minute: like(count), day: like(count) })

const bans = fields<BansFields>({
  after: like(quotas),
  for: like(banLengths),
  grace: like(anyDuration),
  escalate: fields<Escalation>({ factor: like(escalationFactors), max: like(banLengths) }),
  extend: flag,
  status: oneOf([429, 401, 403]),
})

/** Its further fields are those of a file: nothing else plays it. */
const step: Shape = (path, value) => {
  if (!isMap(value)) return unlike(path, 'a map with call, advance, change or note', value)
  const { call, advance, change, expect, headers } = value
  return [
    ...(call === undefined ? [] : anyText([...path, 'call'], call)),
    ...(advance === undefined ? [] : anyText([...path, 'advance'], advance)),
    ...[['change', change] as const, ['expect', expect] as const, ['headers', headers] as const].flatMap(
      ([name, field]) =>
        field === undefined || isMap(field) ? [] : unlike([...path, name], 'a map of fields', field),
    ),
  ]
}

const scenarioShape = fields<ScenarioFile>({
  $schema: anyText,
  title: like(shownTexts),
  description: like(shownTexts),
  extends: anyText,
  key: anyText,
  seed: like(seeds),
  reset: flag,
  clock: fields<ClockFields>({ at: like(clockStarts), frozen: flag, scale: like(clockScales) }),
  plans: names(planNames, orNull(calls(quotas))),
  keys: names(
    keyNames,
    orNull(
      fields<KeyFields>({
        plan: anyText,
        used: calls(callCounts),
        strikes: like(callCounts),
        banned: like(banLengths),
        revoked: flag,
        expires: instant,
        limits: calls(quotas),
      }),
    ),
  ),
  pets: fields<PetsFields>({
    count: like(petCounts),
    firstId: like(petIds),
    gone: list(like(petIds), 'a list of ids'),
    add: list(
      itemFields<Pet>(
        { name: anyText, categoryId: like(anyInt64), status: oneOf(petStatuses) },
        'name',
        'categoryId',
      ),
      'a list of pets, such as [{ name: Rex, categoryId: 1 }]',
    ),
    defaultStatus: oneOf(petStatuses),
  }),
  rules: list(ruleShape, 'a list of rules, such as [{ then: { status: 503 } }]'),
  limits: fields<LimitsFields>({
    window: oneOf(['first-call', 'calendar']),
    headers: oneOf(['tightest', 'minute', 'day']),
    countRefused: flag,
    retryAfter: oneOf(['seconds', 'http-date']),
    anonymous: oneOf(['report', 'enforce']),
  }),
  bans: (path, value) =>
    value === 'off' ? [] : isMap(value) ? bans(path, value) : unlike(path, 'off or a map of fields', value),
  pageSize: oneOf(['reject', 'clamp']),
  pagination: oneOf(['link', 'none']),
  deprecation: fields<DeprecationFields>({
    since: instant,
    removedAt: instant,
    after: oneOf([404, 410, 'keep']),
    brownouts: list(itemFields<Brownout>({ from: instant, to: instant }, 'from', 'to')),
  }),
  walkthrough: list(step, 'a list of steps, such as [{ call: GET /v1/pets }]'),
})

/**
 * What is wrong with a scenario that is written as an object, whatever its type says, checked without the schema library.
 * In a file the schema has said all of this already.
 */
export function outOfRange(file: ScenarioFile): readonly Objection[] {
  return scenarioShape([], file)
}
