import type { Clock } from '../../base/time/clock.ts'
import type { SavedRules } from '../../emulator/rules/rule-book.ts'
import type { EventState } from '../../emulator/worlds/event-book.ts'
import type { KeyStart, Scenario, ScenarioEvent } from '../../emulator/worlds/scenario.ts'
import type { Key } from '../../service/keys/key.ts'
import type { Windows } from '../../service/limits/limiter.ts'
import type { PetStatus } from '../../service/pets/pet.ts'
import type { Quota } from '../../service/plans/plan.ts'

/*
 * Snapshots: plain values that JSON carries without loss. Each holds the settled scenarios of its worlds, so that it can be
 * restored anywhere. JSON omits undefined values.
 */

/** The version of this format. Readers refuse other versions. */
export const snapshotVersion = 1

/** An int64 for any JSON client: a string beyond 2^53. An exact reader may return a bigint. */
export type SavedInt64 = number | string | bigint

export interface SavedPet {
  readonly id: SavedInt64
  readonly name: string
  readonly categoryId: SavedInt64
  readonly status?: PetStatus
  /** JSON as text. Older snapshots have no such field. */
  readonly extra?: string
}

/** `List`: an array, or an iterable while it is written. */
export interface SavedPetList<List = readonly SavedPet[]> {
  readonly firstId: SavedInt64
  readonly nextId: SavedInt64
  /** In ascending order of ids. A missing id below `nextId` is used up. Ids of the fixtures may be far above it. */
  readonly list: List
}

/** The pets of a world, as differences from those of its scenario, which many sandboxes share. */
export interface SavedPets<List = readonly SavedPet[]> extends SavedPetList<List> {
  /** `scenario`: `list` has the pets that are new or changed. `nothing`: it has all. */
  readonly startsFrom: 'scenario' | 'nothing'
  /** Deleted pets of the scenario, ascending. */
  readonly gone: readonly SavedInt64[]
}

/** An event. Its command is JSON as text, which keeps strings and int64s beyond 2^53 apart. */
export interface SavedEvent extends Omit<ScenarioEvent, 'change' | 'key'> {
  readonly key?: string | undefined
  readonly change: string
}

export interface SavedScenario<Pets = SavedPetList>
  extends Omit<Scenario, 'plans' | 'keys' | 'orders' | 'pets' | 'events' | 'walkthrough'> {
  readonly plans: readonly ({ readonly name: string } & Quota)[]
  readonly keys: readonly ({ readonly text: string } & KeyStart)[]
  /** Older snapshots have no such field. */
  readonly events?: readonly SavedEvent[] | undefined
  /** JSON as text, which keeps strings and int64s beyond 2^53 apart. */
  readonly orders: string
  readonly pets: Pets
}

/** The records of a collection. `list` is a JSON array as text, which keeps int64s and strings apart. */
export interface SavedRecords {
  readonly path: string
  readonly nextId: SavedInt64
  readonly list: string
}

/** Everything that decides how a world continues. The journal does not. */
export interface SavedWorld<Pets = SavedPets> {
  readonly clock: Clock
  readonly keys: readonly Key[]
  readonly anonymous: readonly { readonly client: string; readonly windows: Windows }[]
  readonly rules: SavedRules
  /** In the order of the scenario's events. Older snapshots have no such field. */
  readonly events?: readonly EventState[] | undefined
  readonly firstExchange: number
  readonly nextExchange: number
  /** See `World`. Older snapshots have no such field. */
  readonly deletedKeys?: readonly string[] | undefined
  /** The records of the open areas. Older snapshots have no such field. */
  readonly records?: readonly SavedRecords[] | undefined
  readonly pets: Pets
}

/** A state file ends with the SHA-256 of its bytes before. A snapshot that went through a JSON client cannot be checked. */
interface Checked {
  readonly checksum?: string
}

/** One sandbox. A restored world continues like the original. */
export interface WorldSnapshot<Started = SavedScenario, Pets = SavedPets> extends SavedWorld<Pets>, Checked {
  readonly version: typeof snapshotVersion
  readonly scenario: Started
}

/** All sandboxes, the least recently used first, and what new ones start from. */
export interface SandboxesSnapshot<Started = SavedScenario, Sandbox = SavedSandbox> extends Checked {
  readonly version: typeof snapshotVersion
  /** The index in `scenarios` of the one that new sandboxes start with. */
  readonly startsFrom: number
  /** Dropped sandboxes. If one is created again, its request ids continue. */
  readonly dropped: readonly { readonly name: string; readonly nextExchange: number }[]
  readonly scenarios: readonly Started[]
  readonly sandboxes: readonly Sandbox[]
}

interface SavedSandbox<Pets = SavedPets> extends SavedWorld<Pets> {
  readonly name: string
  /** An index in `scenarios`. */
  readonly scenario: number
  /** See `World`. Older snapshots have no such field: worlds followed a scenario with the same name. */
  readonly follows?: boolean | undefined
}

type CapturedScenario = SavedScenario<() => SavedPetList<Iterable<SavedPet>>>
type CapturedPets = () => SavedPets<Iterable<SavedPet>>

/** All sandboxes at an instant. Reading their pets takes time and can happen later. */
export type CapturedSandboxes = SandboxesSnapshot<CapturedScenario, SavedSandbox<CapturedPets>>

/** One sandbox at an instant. */
export type CapturedWorld = WorldSnapshot<CapturedScenario, CapturedPets>

export type Snapshot = WorldSnapshot | SandboxesSnapshot

export function isOfAllSandboxes(snapshot: object): snapshot is SandboxesSnapshot {
  return 'sandboxes' in snapshot
}
