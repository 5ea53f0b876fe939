import type { CommandFields, ScenarioFields } from '../../generated/scenario-fields.ts'
import type { Snapshot } from '../snapshot/saved.ts'

export type { ClockFields, RuleFields, ThenFields } from '../../generated/scenario-fields.ts'

/** A scenario: as a file it is YAML or JSON, in a program an object of this type. */
export interface ScenarioFile extends ScenarioFields<Snapshot> {}

/** A change to a running emulator: a step of a walkthrough, or a request of the admin plane. */
export type Command = CommandFields<Snapshot>
export type CommandName = Command['do']
export type CommandOf<Name extends CommandName> = Extract<Command, { readonly do: Name }>
