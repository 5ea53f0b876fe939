import { parseInstant } from '../../../base/time/instant.ts'
import { defaultDeprecationSettings } from '../../../service/deprecation/settings.ts'
import { unknownName } from '../../files/show.ts'
import type { Fixtures } from '../../fixtures/fixtures.ts'
import { effectiveKeys, effectivePlans, featuredKey } from '../effective.ts'
import type { KeyFields, ScenarioFile } from '../file.ts'
import { outOfRange } from '../objects/scenario-object.ts'
import { checkPace, checkStanding } from './key-state.ts'
import type { Objection } from './objection.ts'
import { checkPets } from './pets.ts'
import { checkRules } from './rules.ts'
import { checkWalkthrough } from './walkthrough.ts'

/** What one field alone cannot tell: names that must be known elsewhere, and fields that contradict each other. */
export function crossCheck(file: ScenarioFile, fixtures: Fixtures): readonly Objection[] {
  const ranges = outOfRange(file)
  // What follows computes with these values.
  if (ranges.length > 0) return ranges
  const keys = effectiveKeys(file, fixtures)
  return [
    ...checkClock(file),
    ...checkPlans(file),
    ...checkKeys(file, keys),
    ...checkStanding(file, keys),
    ...checkPace(file, keys),
    ...checkPets(file.pets ?? {}, fixtures),
    ...checkDeprecation(file),
    ...checkRules(file, fixtures),
    ...checkWalkthrough(file.walkthrough ?? []),
  ]
}

function checkClock({ clock }: ScenarioFile): readonly Objection[] {
  if (clock?.frozen !== true || typeof clock.scale !== 'number') return []
  return [{ path: ['clock', 'scale'], message: 'a frozen clock does not run: remove scale or frozen' }]
}

function checkPlans(file: ScenarioFile): readonly Objection[] {
  return [...effectivePlans(file)].flatMap(([name, { minute, day }]) => {
    if (typeof minute === 'number' && typeof day === 'number') return []
    return [
      { path: ['plans', name], message: 'expected both minute and day, as this plan is not a shipped one' },
    ]
  })
}

function checkKeys(file: ScenarioFile, keys: ReadonlyMap<string, KeyFields>): readonly Objection[] {
  const plans = [...effectivePlans(file).keys()]
  const known = [...keys.keys()]
  const key = featuredKey(file, keys)
  const objections: Objection[] = []
  if (key === undefined) objections.push({ path: ['keys'], message: 'expected at least one key' })
  else if (!keys.has(key)) {
    objections.push({ path: ['key'], message: unknownName('key', key, known) })
  }
  for (const [name, { plan }] of keys) {
    if (typeof plan !== 'string') {
      objections.push({
        path: ['keys', name],
        message: `plan is missing: expected one of ${plans.join(', ')}`,
      })
    } else if (file.plans?.[plan] === null) {
      objections.push({
        path: ['plans', plan],
        message: `the key ${name} has this plan, so it cannot be removed`,
      })
    } else if (!plans.includes(plan)) {
      objections.push({ path: ['keys', name, 'plan'], message: unknownName('plan', plan, plans) })
    }
  }
  return objections
}

function checkDeprecation({ deprecation }: ScenarioFile): readonly Objection[] {
  const objections: Objection[] = []
  const since = parseInstant(deprecation?.since ?? '')
  const removedAt = parseInstant(deprecation?.removedAt ?? '') ?? defaultDeprecationSettings.removedAt
  if (since !== undefined && since > removedAt) {
    objections.push({ path: ['deprecation', 'since'], message: 'the deprecation comes after the removal' })
  }
  const brownouts = (deprecation?.brownouts ?? []).flatMap(({ from, to }, index) => {
    if ((parseInstant(from) ?? 0) < (parseInstant(to) ?? 0)) return []
    return [{ path: ['deprecation', 'brownouts', index, 'to'], message: 'expected an instant after from' }]
  })
  return [...objections, ...brownouts]
}
