import type { Int64 } from '../../base/json/value.ts'
import type { PetStatus } from '../../service/pets/pet.ts'
import type { Snapshot } from '../snapshot/saved.ts'

/**
 * Every change to a running emulator, as plain values. Tests, walkthroughs and the admin plane send these and nothing else.
 * Durations are texts such as `90s`, instants are texts such as `2026-03-02T09:00:00Z`. `Scenario` and `Rule` are the
 * written forms of a scenario and a rule.
 */
export type Command<Scenario = unknown, Rule = unknown> =
  | ClockCommand
  | KeyCommand
  | PetCommand
  | RuleCommand<Rule>
  | WorldCommand<Scenario>

/** A clock moves forward. Only `resetClock`, `reset` and `restoreSnapshot` move it back. */
export type ClockCommand =
  /** Stops the clock now, or at a later instant. */
  | Verb<'freezeClock', { at: string }>
  /** Moves the clock by a duration or to an instant, exactly one of the two. A running clock keeps running. */
  | Verb<'advanceClock', { by: string; to: string }>
  /** Starts the clock. `scale` is its speed relative to real time, 1 by default. */
  | Verb<'resumeClock', { scale: number }>
  /** Sets the clock as the scenario starts it. If it moves back, later windows, strikes and bans are forgotten. */
  | Verb<'resetClock'>

export type KeyCommand =
  | Verb<'addKey', KeyState & { strikes: number; banned: string }, { key: string; plan: string }>
  /** Changes the given fields. A new plan brings its quota, and keeps counts and bans (A05). */
  | Verb<'changeKey', KeyState & { plan: string }, { key: string }>
  | Verb<'deleteKey', object, { key: string }>
  /** Bans from now on. The default length is that of the scenario's bans. */
  | Verb<'banKey', { for: string }, { key: string }>
  /** Lifts a ban and clears the strikes behind it. */
  | Verb<'unbanKey', object, { key: string }>

interface KeyState {
  /** Calls in the windows that are open, or that the next call opens. */
  used: WindowCounts
  /** The key's own quota; null: that of its plan. */
  limits: WindowCounts
  revoked: boolean
  /** null: never. */
  expires: string
}

export type WindowCounts = Optional<{ minute: number; day: number }>

export type PetCommand =
  | Verb<'addPet', { status: PetStatus }, { name: string; categoryId: Int64 }>
  /** Changes the given fields; a status of null removes it. */
  | Verb<'changePet', { name: string; categoryId: Int64; status: PetStatus }, { id: Int64 }>
  /** The id is never used again. */
  | Verb<'deletePet', object, { id: Int64 }>

export type RuleCommand<Rule = unknown> =
  /** Adds a rule before all others, starting now. Replaces a rule of the same name. */
  Verb<'addRule', object, { rule: Rule }> | Verb<'removeRule', object, { name: string }>

export type WorldCommand<Scenario = unknown> =
  /** Restarts a sandbox from this scenario. Without a sandbox: the default one, and all that start later. */
  | Verb<'setScenario', { name: string }, { scenario: string | Scenario }>
  /** Restarts from the scenario. */
  | Verb<'reset'>
  /** Restores a snapshot whole or not at all, with an empty journal. One of all sandboxes replaces them all (`*`). */
  | Verb<'restoreSnapshot', object, { snapshot: Snapshot }>
  /** Empties the journal; its ids continue. */
  | Verb<'clearRequests'>
  /** Creates the sandbox `name` as its first call would; does nothing if it exists. */
  | Verb<'createSandbox', object, { name: string }>
  /** Removes a sandbox; its next call creates it again. The default one restarts instead. */
  | Verb<'dropSandbox'>

export type CommandName = Command['do']
export type CommandOf<Name extends CommandName> = Extract<Command, { readonly do: Name }>

type Optional<T> = { readonly [Name in keyof T]?: T[Name] | null | undefined }
type Verb<Name extends string, Fields = object, Required = object> = {
  readonly do: Name
} & Readonly<Required> &
  Optional<Fields>
