import type { Path } from '../../../control/files/show.ts'
import type { ClockFields, ScenarioFile } from '../../../control/scenario/file.ts'
import type { ClockChoice } from '../../arguments/flag-values.ts'
import type { ServeValues } from '../../arguments/serve-flags.ts'

/** What the flags say of the situation, to be laid over the scenario that is chosen. */
export function scenarioOfFlags({ seed, pets, key, clock }: ServeValues): ScenarioFile {
  return {
    seed,
    pets: pets === undefined ? undefined : { count: pets },
    keys: key.length === 0 ? undefined : Object.fromEntries(key.map(({ name, plan }) => [name, { plan }])),
    clock: clock === undefined ? undefined : clockFields(clock),
  }
}

/** A frozen clock keeps the instant that the scenario gives it, and loses its pace. */
function clockFields({ at, frozen }: ClockChoice): ClockFields {
  return frozen ? { frozen, scale: null } : { at, frozen }
}

/** The flag that said what stands at a path of the whole, if one did. */
export function flagOfPath(
  [first, second]: Path,
  values: ServeValues,
): 'clock' | 'key' | 'pets' | 'seed' | undefined {
  if (first === 'seed' && values.seed !== undefined) return 'seed'
  if (first === 'clock' && values.clock !== undefined) return 'clock'
  if (first === 'pets' && second === 'count' && values.pets !== undefined) return 'pets'
  return first === 'keys' && values.key.some(({ name }) => name === second) ? 'key' : undefined
}
