import { exactInt64, toInt64 } from '../../base/json/int64.ts'
import type { Int64 } from '../../base/json/value.ts'
import type { KeyFields, PetsFields, QuotaFields } from '../../generated/scenario-fields.ts'
import type { Pet } from '../../service/pets/pet.ts'
import { room } from '../../service/pets/store.ts'
import { shippedPlans } from '../../service/plans/plan.ts'
import type { Fixtures } from '../fixtures/fixtures.ts'
import type { ScenarioFile } from './file.ts'
import { scenario } from './settings/scenario.ts'
import { withDefaults } from './settings/settled.ts'
import { pets } from './settings/world.ts'

/** How many pets there are before the added ones: the given number, else the default, or all fixtures. */
export function effectivePetCount({ count }: PetsFields, fixtures: Fixtures): number {
  return count ?? Math.max(pets.fields.count.default, fixtures.pets.length)
}

/** The ids of a scenario's pets, also of those that are gone. */
export function effectivePetIds(fields: PetsFields, fixtures: Fixtures) {
  const count = effectivePetCount(fields, fixtures)
  const added = fields.add?.length ?? 0
  const first = exactInt64(fields.firstId ?? 1)
  const own = new Map<Int64, Pet>()
  for (const { id, ...pet } of fixtures.pets.slice(0, count))
    if (id !== undefined) own.set(id, { id, ...pet })
  const ascending = Array.from(own.keys(), BigInt).sort((one, other) => (one < other ? -1 : 1))
  let last = BigInt(first) + BigInt(count - own.size - 1)
  for (const id of ascending) if (id >= first && id <= last) last += 1n
  const ends = [last, ...ascending.filter(id => id > last)]
  const end = ends.findLast((end, index) => (ends[index + 1] ?? 2n ** 63n) - end > room + added + 1)
  const next = end === undefined ? undefined : toInt64(end + 1n)
  const lastNew = (more: number) => BigInt(next ?? 0) + BigInt(added + more) - 1n
  const range = (from: Int64, to: bigint) => (from > to ? [] : [`${from} to ${to}`])
  return {
    /** How many pets there are before the added ones. */
    count,
    first,
    /** The served pets of the fixtures that have an id. The others get the free ids from `first` on. */
    own: own as ReadonlyMap<Int64, Pet>,
    /** The first id of the added pets: after the greatest that leaves room. Undefined: none does. */
    next,
    /** Whether a pet has an id once `more` pets were created. */
    has: (id: Int64, more = 0) =>
      own.has(id) || (id >= first && id <= last) || (next !== undefined && id >= next && id <= lastNew(more)),
    /** For people; empty: there are none. */
    format: (more = 0) => {
      if (own.size === 0) return range(first, lastNew(more)).join()
      const ranges = [...range(first, last), ...range(next ?? 0, lastNew(more))]
      return [...ranges, 'those that pets.yaml gives'].join(', ')
    },
  }
}

/** The shipped plans, changed by the scenario, and the plans that it adds. */
export function effectivePlans(file: ScenarioFile): ReadonlyMap<string, QuotaFields> {
  return merged(shippedPlans, file.plans ?? {})
}

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
