import type { RuleFields, ScenarioFields } from '../../generated/scenario-fields.ts'
import type { Command } from '../change/command.ts'

export type { ClockFields, RuleFields, ThenFields } from '../../generated/scenario-fields.ts'

/** A scenario: as a file it is YAML or JSON, in a program an object of this type. */
export interface ScenarioFile extends ScenarioFields<ScenarioCommand> {}

/** A command as a walkthrough and the admin plane have it. */
export type ScenarioCommand = Command<ScenarioFile, RuleFields>
