import type { KeyFields, PetsFields, QuotaFields } from '../../generated/scenario-fields.ts'
import { shippedPlans } from '../../service/plans/plan.ts'
import type { Fixtures } from '../fixtures/fixtures.ts'
import type { ScenarioFile } from './file.ts'
import { withDefaults } from './settings/defaults.ts'
import { scenario } from './settings/scenario.ts'
import { pets } from './settings/world.ts'

/** How many pets there are before the added ones: the given number, else the default, or all fixtures. */
export function effectivePetCount({ count }: PetsFields, fixtures: Fixtures): number {
  return count ?? Math.max(pets.fields.count.default, fixtures.pets.length)
}

/** The shipped plans, changed by the scenario, and the plans that it adds. */
export function effectivePlans(file: ScenarioFile): ReadonlyMap<string, QuotaFields> {
  return merged(shippedPlans, file.plans ?? {})
}

/** The fixtures' keys, changed by the scenario, and the keys that it adds. */
export function effectiveKeys(file: ScenarioFile, fixtures: Fixtures): ReadonlyMap<string, KeyFields> {
  return merged(keysOf(fixtures), file.keys ?? {})
}

export function keysOf({ keys }: Fixtures): Readonly<Record<string, KeyFields>> {
  return Object.fromEntries(Object.entries(keys).map(([name, plan]) => [name, { plan }]))
}

/** The key that the scenario is about: the given one, else the default one, else the first. */
export function featuredKey(file: ScenarioFile, keys: ReadonlyMap<string, KeyFields>): string | undefined {
  if (typeof file.key === 'string') return file.key
  const usual = scenario.fields.key.default
  return keys.has(usual) ? usual : keys.keys().next().value
}

function merged<T extends object>(
  base: Readonly<Record<string, T>>,
  over: Readonly<Record<string, T | null | undefined>>,
): ReadonlyMap<string, T> {
  const entries = new Map(Object.entries(base))
  for (const [name, fields] of Object.entries(over)) {
    if (fields === null) entries.delete(name)
    else if (fields !== undefined)
      entries.set(name, withDefaults<Partial<T>>(entries.get(name) ?? {}, fields) as T)
  }
  return entries
}
