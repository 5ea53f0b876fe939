import { shippedPlans } from '../../service/plans/plan.ts'
import type { Fixtures } from '../fixtures/fixtures.ts'
import type { KeyFields, PetsFields, QuotaFields, ScenarioFile } from './file.ts'

/** How many pets there are before the added ones: as many as the scenario says, else 100, or all of the fixtures. */
export function effectivePetCount({ count }: PetsFields, fixtures: Fixtures): number {
  return count ?? Math.max(100, fixtures.pets.length)
}

/** The plans that hold: the shipped ones, with what the scenario says of them and those that it adds. */
export function effectivePlans(file: ScenarioFile): ReadonlyMap<string, QuotaFields> {
  return merged(shippedPlans, file.plans ?? {})
}

/** The keys that hold: the fixtures' ones, with what the scenario says of them and those that it adds. */
export function effectiveKeys(file: ScenarioFile, fixtures: Fixtures): ReadonlyMap<string, KeyFields> {
  const shipped = Object.entries(fixtures.keys).map(([name, plan]) => [name, { plan }] as const)
  return merged(Object.fromEntries(shipped), file.keys ?? {})
}

/** The key that the scenario is about: where it names none, the usual one, or the first that there is. */
export function featuredKey(file: ScenarioFile, keys: ReadonlyMap<string, KeyFields>): string | undefined {
  if (typeof file.key === 'string') return file.key
  return keys.has('demo-free') ? 'demo-free' : keys.keys().next().value
}

function merged<T extends object>(
  base: Readonly<Record<string, T>>,
  over: Readonly<Record<string, T | null | undefined>>,
): ReadonlyMap<string, T> {
  const entries = new Map(Object.entries(base))
  for (const [name, fields] of Object.entries(over)) {
    if (fields === null) entries.delete(name)
    else if (fields !== undefined) entries.set(name, { ...entries.get(name), ...given(fields) } as T)
  }
  return entries
}

/** A field that is `null` or `undefined` is as good as not there. */
function given<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as Partial<T>
}
