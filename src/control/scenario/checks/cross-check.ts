import { exactInt64 } from '../../../base/json/int64.ts'
import { parseInstant } from '../../../base/time/instant.ts'
import type { KeyFields, PetsFields } from '../../../generated/scenario-fields.ts'
import { usualNames } from '../../../service/limits/limit-headers.ts'
import { check } from '../../fields/check.ts'
import { type Problems, problemIf } from '../../fields/problem.ts'
import { unknownName } from '../../files/show.ts'
import type { Fixtures } from '../../fixtures/fixtures.ts'
import { effectiveKeys, effectivePetIds, effectivePlans, featuredKey } from '../effective.ts'
import type { ScenarioFile } from '../file.ts'
import { deprecation as deprecationMap } from '../settings/behaviour.ts'
import { scenario } from '../settings/scenario.ts'
import { checkEvents, checkPace, checkStanding } from './events.ts'
import { checkRules } from './rules.ts'

/** Everything that is wrong with a merged scenario but its walkthrough: first single fields, then contradictions. */
export function crossCheck(file: ScenarioFile, fixtures: Fixtures): Problems {
  const problems = check(scenario, file)
  // What follows computes with these values.
  if (problems.length > 0) return problems
  const keys = effectiveKeys(file, fixtures)
  return [
    ...checkClock(file),
    ...checkPlans(file),
    ...checkKeys(file, keys),
    ...checkStanding(file, keys),
    ...checkPace(file, keys),
    ...checkPets(file.pets ?? {}, fixtures),
    ...checkLimitNames(file),
    ...checkDeprecation(file),
    ...checkRules(file, fixtures),
    ...checkEvents(file, keys, fixtures),
    ...checkRehearsal(file),
  ]
}

function checkRehearsal({ rehearsal }: ScenarioFile): Problems {
  const { allow = [], forbid = [] } = rehearsal?.conduct ?? {}
  return forbid.flatMap((id, index) => {
    const message = `${id} is allowed too: remove it from allow or forbid`
    return problemIf(allow.includes(id), ['rehearsal', 'conduct', 'forbid', index], message)
  })
}

function checkClock({ clock }: ScenarioFile): Problems {
  const hasScale = clock?.frozen === true && typeof clock.scale === 'number'
  const hasBoth = typeof clock?.at === 'string' && typeof clock.offset === 'string'
  return [
    ...problemIf(hasScale, ['clock', 'scale'], 'a frozen clock does not run: remove scale or frozen'),
    ...problemIf(hasBoth, ['clock', 'offset'], 'the clock starts at a fixed instant: remove offset or at'),
  ]
}

function checkPlans(file: ScenarioFile): Problems {
  const message = 'expected both minute and day, because this plan is not a shipped one'
  return [...effectivePlans(file)].flatMap(([name, { minute, day }]) =>
    problemIf(typeof minute !== 'number' || typeof day !== 'number', ['plans', name], message),
  )
}

function checkKeys(file: ScenarioFile, keys: ReadonlyMap<string, KeyFields>): Problems {
  const key = featuredKey(file, keys)
  if (key === undefined) return [{ path: ['keys'], message: 'expected at least one key' }]
  return [
    ...problemIf(!keys.has(key), ['key'], unknownName('key', key, [...keys.keys()])),
    ...[...keys].flatMap(([name, { plan }]) => checkPlanOf(name, plan, file)),
  ]
}

function checkPlanOf(name: string, plan: string | null | undefined, file: ScenarioFile): Problems {
  const plans = [...effectivePlans(file).keys()]
  if (typeof plan !== 'string')
    return [{ path: ['keys', name], message: `plan is missing: expected one of ${plans.join(', ')}` }]
  if (plans.includes(plan)) return []
  if (file.plans?.[plan] === null)
    return [
      { path: ['plans', plan], message: `the key ${name} uses this plan, so the plan cannot be removed` },
    ]
  return [{ path: ['keys', name, 'plan'], message: unknownName('plan', plan, plans) }]
}

function checkDeprecation({ deprecation }: ScenarioFile): Problems {
  const since = parseInstant(deprecation?.since ?? '')
  const removedAt = parseInstant(deprecation?.removedAt ?? deprecationMap.fields.removedAt.default)
  const isLate = since !== undefined && removedAt !== undefined && since > removedAt
  return [
    ...problemIf(isLate, ['deprecation', 'since'], 'the deprecation comes after the removal'),
    ...(deprecation?.brownouts ?? []).flatMap(({ from, to }, index) => {
      const isOver = (parseInstant(from) ?? 0) >= (parseInstant(to) ?? 0)
      return problemIf(isOver, ['deprecation', 'brownouts', index, 'to'], 'expected an instant after from')
    }),
  ]
}

/** Of two headers with one name, a response would have only one. */
function checkLimitNames({ limits, responses }: ScenarioFile): Problems {
  const taken = Object.keys(responses?.headers ?? {}).map(name => name.toLowerCase())
  return Object.entries({ ...usualNames, ...limits?.names }).flatMap(([role, given]) => {
    const name = given?.toLowerCase() ?? 'off'
    const isTaken = name !== 'off' && taken.includes(name)
    taken.push(name)
    return problemIf(
      isTaken,
      ['limits', 'names', role],
      'another header has this name: letter case does not count',
    )
  })
}

/** All ids must be int64s, and only an id that was used can be gone. */
function checkPets(fields: PetsFields, fixtures: Fixtures): Problems {
  const { gone, add } = fields
  const { count, first, next, has, format } = effectivePetIds(fields, fixtures)
  if (next === undefined) {
    const total = count + (add?.length ?? 0)
    const message = `${total} pets that start at id ${first} leave too few ids (int64) for new pets`
    return [{ path: ['pets', 'firstId'], message }]
  }
  return (gone ?? []).map(exactInt64).flatMap((id, index) => {
    if (has(id)) return []
    const ids = format() === '' ? 'there is no pet' : `the pets have the ids ${format()}`
    return [{ path: ['pets', 'gone', index], message: `no pet ever had the id ${id}: ${ids}` }]
  })
}
