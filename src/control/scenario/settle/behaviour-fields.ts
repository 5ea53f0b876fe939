import type { Behaviour } from '../../../emulator/worlds/scenario.ts'
import type {
  BansFields,
  ConventionFields,
  DeprecationFields,
  LimitsFields,
} from '../../../generated/scenario-fields.ts'
import type { ScenarioFile } from '../file.ts'
import { banFields, conventions, deprecation, limits } from '../settings/behaviour.ts'
import { formatUnusual } from '../settings/settled.ts'

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
