import type { Clock } from '../../base/time/clock.ts'
import type { SavedRules } from '../../emulator/rules/rule-book.ts'
import type { KeyStart, Scenario } from '../../emulator/worlds/scenario.ts'
import type { Key } from '../../service/keys/key.ts'
import type { Windows } from '../../service/limits/limiter.ts'
import type { PetStatus } from '../../service/pets/pet.ts'
import type { Quota } from '../../service/plans/plan.ts'

/*
 * Snapshots: plain values that JSON carries without loss. Each holds the scenarios that its worlds run, settled, so
 * that it can be put back where nobody knows them. What has no value (`undefined`) is not there in JSON.
 */

/** The form of what is written below; a reader refuses another one. */
export const snapshotVersion = 1

/** An int64 that any JSON client can carry: a string beyond 2^53. A reader that is exact may make a bigint of it. */
export type SavedInt64 = number | string | bigint

export interface SavedPet {
  readonly id: SavedInt64
  readonly name: string
  readonly categoryId: SavedInt64
  readonly status?: PetStatus
}

/** `List` is an array, or, while it is being written, whatever gives its pets one by one. */
export interface SavedPetList<List = readonly SavedPet[]> {
  readonly firstId: SavedInt64
  readonly nextId: SavedInt64
  /** In ascending order of ids; an id below `nextId` that nobody has is used up. */
  readonly list: List
}

/** The pets of a world. Beside those of its scenario only the differences are kept: a thousand sandboxes share them. */
export interface SavedPets<List = readonly SavedPet[]> extends SavedPetList<List> {
  /** `scenario`: `list` has the pets that are new or changed. `nothing`: it has all. */
  readonly startsFrom: 'scenario' | 'nothing'
  /** Pets of the scenario that are not there any more, ascending. */
  readonly gone: readonly SavedInt64[]
}

export interface SavedScenario<Pets = SavedPetList>
  extends Omit<Scenario, 'plans' | 'keys' | 'orders' | 'pets'> {
  readonly plans: readonly ({ readonly name: string } & Quota)[]
  readonly keys: readonly ({ readonly text: string } & KeyStart)[]
  /** JSON, as a text: of a string and an int64 beyond 2^53 it knows which is which. */
  readonly orders: string
  readonly pets: Pets
}

/** The records of a collection. `list` is a JSON array, as a text: it keeps int64s apart from strings. */
export interface SavedRecords {
  readonly path: string
  readonly nextId: SavedInt64
  readonly list: string
}

/** All that decides how a world goes on. Not its journal: that tells of the past. */
export interface SavedWorld<Pets = SavedPets> {
  readonly clock: Clock
  readonly keys: readonly Key[]
  readonly anonymous: readonly { readonly client: string; readonly windows: Windows }[]
  readonly rules: SavedRules
  readonly firstExchange: number
  readonly nextExchange: number
  /** Of the open areas' collections; a snapshot of a pet-mock that knew none has no such field. */
  readonly records?: readonly SavedRecords[] | undefined
  readonly pets: Pets
}

/** One sandbox. A world that is put back from it goes on as the original does. */
export interface WorldSnapshot extends SavedWorld {
  readonly version: typeof snapshotVersion
  readonly scenario: SavedScenario
}

/** All sandboxes, the least recently used first, and what new ones start from. */
export interface SandboxesSnapshot<Started = SavedScenario, Sandbox = SavedSandbox> {
  readonly version: typeof snapshotVersion
  /** The place in `scenarios` of the one that new sandboxes start from. */
  readonly startsFrom: number
  /** Sandboxes that are no more: should one be made again, its ids go on. */
  readonly dropped: readonly { readonly name: string; readonly nextExchange: number }[]
  readonly scenarios: readonly Started[]
  readonly sandboxes: readonly Sandbox[]
}

export interface SavedSandbox<Pets = SavedPets> extends SavedWorld<Pets> {
  readonly name: string
  /** A place in `scenarios`. */
  readonly scenario: number
}

/** All sandboxes at an instant, their pets not looked through yet: that takes its time, and can be done later. */
export type CapturedSandboxes = SandboxesSnapshot<
  SavedScenario<() => SavedPetList<Iterable<SavedPet>>>,
  SavedSandbox<() => SavedPets<Iterable<SavedPet>>>
>

export type Snapshot = WorldSnapshot | SandboxesSnapshot

export function isOfAllSandboxes(snapshot: Snapshot): snapshot is SandboxesSnapshot {
  return 'sandboxes' in snapshot
}
