import type { Int64 } from '../../base/json/value.ts'
import type { PetStatus } from '../../service/pets/pet.ts'
import type { Snapshot } from '../snapshot/saved.ts'

/**
 * The language of change: everything that can be done to a running emulator beside calling its API, as plain values.
 * Tests, stories, the admin plane and all that stands on it send these and nothing else. Durations are texts such as
 * `90s`, instants texts such as `2026-03-02T09:00:00Z`. `Scenario` and `Rule` are
 * how a whole scenario and a rule may be written.
 */
export type Command<Scenario = unknown, Rule = unknown> =
  | ClockCommand
  | KeyCommand
  | PetCommand
  | RuleCommand<Rule>
  | WorldCommand<Scenario>

/** Forward only: a clock goes back by `resetClock`, `reset` or `restoreSnapshot`. */
export type ClockCommand =
  /** Stops the clock where it stands, or at a later instant. */
  | Verb<'freezeClock', { at: string }>
  /** Moves the clock by a duration or to an instant: exactly one of the two. It runs or stands on as before. */
  | Verb<'advanceClock', { by: string; to: string }>
  /** Lets the clock run, at 1 or so many times the pace of real time. */
  | Verb<'resumeClock', { scale: number }>
  /** The clock as the scenario starts it. If that is back in time, what lies ahead then is forgotten: windows, strikes and bans. */
  | Verb<'resetClock'>

export type KeyCommand =
  | Verb<'addKey', KeyStanding & { strikes: number; banned: string }, { key: string; plan: string }>
  /** Says anew what is named. A new plan brings its quota, and keeps counts and bans (A05). */
  | Verb<'changeKey', KeyStanding & { plan: string }, { key: string }>
  | Verb<'deleteKey', object, { key: string }>
  /** Bans from now on, as long as the scenario's bans are if it is not said. */
  | Verb<'banKey', { for: string }, { key: string }>
  /** Lifts a ban, with the strikes that led to it. */
  | Verb<'unbanKey', object, { key: string }>

interface KeyStanding {
  /** Calls made in the windows that are open, or that the next call opens. */
  used: WindowCounts
  /** A quota of the key's own; null: that of its plan. */
  limits: WindowCounts
  revoked: boolean
  /** null: never. */
  expires: string
}

export type WindowCounts = Said<{ minute: number; day: number }>

export type PetCommand =
  | Verb<'addPet', { status: PetStatus }, { name: string; categoryId: Int64 }>
  /** Says anew what is named; a status of null is none. */
  | Verb<'changePet', { name: string; categoryId: Int64; status: PetStatus }, { id: Int64 }>
  /** The id is used up: no other pet ever gets it. */
  | Verb<'deletePet', object, { id: Int64 }>

export type RuleCommand<Rule = unknown> =
  /** The rule goes first, and its time begins now. One of the same name makes room for it. */
  Verb<'addRule', object, { rule: Rule }> | Verb<'removeRule', object, { name: string }>

export type WorldCommand<Scenario = unknown> =
  /** For a sandbox, its world anew from this scenario; for none, the default world, and what new sandboxes start from. */
  | Verb<'setScenario', { name: string }, { scenario: string | Scenario }>
  /** The world anew, as its scenario starts it. */
  | Verb<'reset'>
  /**
   * The world as the snapshot has it, whole or not at all; its journal is empty then. A snapshot of all sandboxes is
   * put in the place of all of them (`*`): those that it does not have are gone.
   */
  | Verb<'restoreSnapshot', object, { snapshot: Snapshot }>
  /** Empties the journal; its ids go on. */
  | Verb<'clearRequests'>
  /** Creates the sandbox `name` as its first call would; does nothing if it exists. */
  | Verb<'createSandbox', object, { name: string }>
  /** Forgets a sandbox: its next call finds a new one. The default one starts anew instead. */
  | Verb<'dropSandbox'>

export type CommandName = Command['do']
/** The command of a name. */
export type CommandOf<Name extends CommandName> = Extract<Command, { readonly do: Name }>

type Said<T> = { readonly [Name in keyof T]?: T[Name] | null | undefined }
type Verb<Name extends string, Optional = object, Required = object> = {
  readonly do: Name
} & Readonly<Required> &
  Said<Optional>
