import type { Behaviour, Scenario } from '../../emulator/worlds/scenario.ts'
import type {
  BansFields,
  ConventionFields,
  DeprecationFields,
  LimitsFields,
} from '../../generated/scenario-fields.ts'
import type { ScenarioFile } from '../scenario/file.ts'
import { banFields, conventions, deprecation, limits } from '../scenario/settings/behaviour.ts'
import { formatUnusual } from '../scenario/settings/settled.ts'

/** The settings of what the specification leaves open: those that differ from the defaults. */
export function behaviourFields(behaviour: Behaviour): ScenarioFile {
  const { bans } = behaviour
  return {
    limits: formatUnusual<LimitsFields>(limits, behaviour.limits),
    bans: bans === undefined ? 'off' : formatUnusual<BansFields>(banFields, bans),
    ...formatUnusual<ConventionFields>(conventions, behaviour),
    deprecation: formatUnusual<DeprecationFields>(deprecation, behaviour.deprecation),
  }
}

/** What a scenario was settled from, as far as its behaviour shows it: a restored one has no origin. */
export function originOf({ origin, behaviour }: Pick<Scenario, 'origin' | 'behaviour'>): Scenario['origin'] {
  const { defaultStatus } = behaviour
  return origin ?? { given: { ...behaviourFields(behaviour), pets: { defaultStatus } } }
}
