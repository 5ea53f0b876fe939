import type {
  CallStep,
  CommandFields,
  Expectation,
  ScenarioFields,
  StepFields,
} from '../../generated/scenario-fields.ts'

export type { CallStep, Expectation, RuleFields, ThenFields } from '../../generated/scenario-fields.ts'

/** A snapshot as programs hold it: its declaration checks the other fields. */
export interface Snapshot {
  readonly version: number
}

/** A scenario: as a file it is YAML or JSON, in a program an object of this type. */
export interface ScenarioFile extends ScenarioFields<Snapshot> {}

/** A change to a running emulator: a step of a walkthrough, or a request of the admin plane. */
export type Command = CommandFields<Snapshot>
export type CommandName = Command['do']
export type CommandOf<Name extends CommandName> = Extract<Command, { readonly do: Name }>

/** One step of a walkthrough: a call, time that passes, a change from outside, or only a note. */
export type Step = StepFields<Snapshot>

/** A value, true for any value, or null for no such header. */
export type HeaderExpectation = NonNullable<Expectation['headers']>[string]

export function timesOf({ repeat, parallel }: CallStep): number {
  return parallel ?? repeat ?? 1
}
