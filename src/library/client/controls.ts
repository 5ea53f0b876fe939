import type { Int64 } from '../../base/json/value.ts'
import type { RuleFields } from '../../control/scenario/file.ts'
import type { Explanation } from '../../judges/inspection/explain.ts'
import type { Filter } from '../../judges/inspection/filter.ts'
import type { RequestView } from '../../judges/inspection/view.ts'
import type { PetStatus } from '../../service/pets/pet.ts'

/*
 * What can be asked of a sandbox and done to it. A method is a command of the admin plane, and takes what the command
 * takes: durations such as `60s`, instants such as `2026-03-02T09:00:00Z`. What cannot be done rejects with a
 * PetMockError, and nothing of it was done.
 */

/** An instant, as a text or as a Date. */
export type InstantLike = string | Date

/** How a clock stands. */
export interface ClockState {
  /** What it says: an instant, RFC 3339. */
  readonly at: string
  readonly frozen: boolean
  /** How many times as fast as real time it runs; 0: not at all. */
  readonly scale: number
}

/** The clock that windows, bans, expiry and removal follow. It goes forward; only a reset takes it back. */
export interface ClockControls {
  /** By a duration, such as `60s`, or to an instant. */
  readonly advance: (by: string | { readonly to: InstantLike }) => Promise<ClockState>
  /** Stops it where it stands, or at a later instant. */
  readonly freeze: (options?: { readonly at?: InstantLike }) => Promise<ClockState>
  /** Lets it run, as fast as real time or so many times as fast. */
  readonly resume: (options?: { readonly scale?: number }) => Promise<ClockState>
  /** As the scenario starts it. */
  readonly reset: () => Promise<ClockState>
  readonly now: () => Promise<Date>
}

/** A pet in the store. Ids and category ids beyond 2^53 are bigints. */
export interface StoredPet {
  readonly id: Int64
  readonly name: string
  readonly categoryId: Int64
  readonly status?: PetStatus
}

export interface PetControls {
  /** By ascending id; all of them, if no limit is given. */
  readonly list: (query?: {
    readonly status?: PetStatus
    /** Only those with a greater id. */
    readonly after?: Int64
    readonly limit?: number
  }) => Promise<readonly StoredPet[]>
  readonly get: (id: Int64) => Promise<StoredPet | undefined>
  readonly add: (pet: Omit<StoredPet, 'id'>) => Promise<StoredPet>
  /** What is not named stays; a status of null is none. */
  readonly change: (
    id: Int64,
    pet: { readonly name?: string; readonly categoryId?: Int64; readonly status?: PetStatus | null },
  ) => Promise<StoredPet>
  /** Resolves with the pet as it was. Its id is used up. */
  readonly delete: (id: Int64) => Promise<StoredPet>
}

export interface Counts {
  readonly minute: number
  readonly day: number
}

/** How an API key stands. */
export interface KeyState {
  /** Without its sandbox. */
  readonly key: string
  readonly plan: string
  readonly limits: Counts
  readonly used: Counts
  readonly remaining: Counts
  /** When each window ends; null: the next call opens it. */
  readonly resets: { readonly minute: string | null; readonly day: string | null }
  /** Refused calls since the last accepted one. */
  readonly strikes: number
  readonly bannedUntil: string | null
  readonly revoked: boolean
  readonly expires: string | null
}

export interface KeyChange {
  readonly plan?: string
  /** Calls made in the windows that are open. */
  readonly used?: Partial<Counts>
  /** A quota of the key's own; null: that of its plan. */
  readonly limits?: Partial<Counts> | null
  readonly revoked?: boolean
  /** null: never. */
  readonly expires?: InstantLike | null
}

/** A key may be named with its sandbox or without it. */
export interface KeyControls {
  readonly list: () => Promise<readonly KeyState[]>
  readonly get: (key: string) => Promise<KeyState | undefined>
  readonly add: (key: string, standing: KeyChange & { readonly plan: string }) => Promise<KeyState>
  readonly change: (key: string, change: KeyChange) => Promise<KeyState>
  /** Resolves with the key as it was. */
  readonly delete: (key: string) => Promise<KeyState>
  /** From now on, for a duration such as `90s`; without one, as long as the scenario's bans are. */
  readonly ban: (key: string, options?: { readonly for?: string }) => Promise<KeyState>
  readonly unban: (key: string) => Promise<KeyState>
}

/** Which requests are meant: all that is said must hold. */
export type RequestFilter = Filter

export interface Listing {
  /** At most so many, the newest. */
  readonly limit?: number
  /** Default: `masked`, so that a log may show them. */
  readonly keys?: 'masked' | 'shown'
}

/** A request with the reasons of its answer. */
export type ExplainedRequest = RequestView & { readonly explanation: Explanation }

/** The journal: the last requests of the sandbox, the newest first. */
export interface RequestControls {
  readonly list: (listing?: Listing) => Promise<readonly RequestView[]>
  readonly find: (filter: RequestFilter, listing?: Listing) => Promise<readonly RequestView[]>
  readonly count: (filter?: RequestFilter) => Promise<number>
  /**
   * Resolves with the requests that fit as soon as there are as many as are waited for (1, if it is not said), those
   * that came before included. Rejects when `timeout`, of real time, is over: `10s` if it is not said.
   */
  readonly wait: (
    filter: RequestFilter,
    options?: { readonly count?: number; readonly timeout?: string },
  ) => Promise<readonly RequestView[]>
  readonly clear: () => Promise<void>
  /** Why a request was answered as it was. */
  readonly explain: (id: number) => Promise<ExplainedRequest>
}

/** How the clients behaved, by the requests that are in the journal. */
export type { ConductReport, KeyUsage } from '../../judges/conduct/conduct-report.ts'
export type { Evidence, Finding, Severity } from '../../judges/report/finding.ts'

/** A rule, and what it has done. */
export interface RuleState {
  readonly name: string
  readonly rule: RuleFields
  /** Whether it was added later, and is not the scenario's. */
  readonly added: boolean
  readonly since: string
  /** Whether it has acted as often, or lived as long, as it may. */
  readonly retired: boolean
  readonly acted: number
  /** Calls that fitted it, of each key. */
  readonly calls: Readonly<Record<string, number>>
}

export interface RuleControls {
  /** In the order in which they are asked. */
  readonly list: () => Promise<readonly RuleState[]>
  /** It goes first, and its time begins now. One of the same name makes room for it. */
  readonly add: (rule: RuleFields) => Promise<RuleState>
  /** Resolves with the rule as it was. */
  readonly remove: (name: string) => Promise<RuleState>
}

export interface ScenarioState {
  readonly name: string
  readonly title: string
  readonly description: string | null
  /** The key that it is about, without its sandbox. */
  readonly key: string
  readonly seed: number
}

export interface ScenarioControls<Written> {
  readonly get: () => Promise<ScenarioState>
  /** Starts anew from another scenario. */
  readonly set: (scenario: Written) => Promise<ScenarioState>
}

/** Everything that decides what is answered, as a plain value that JSON carries. */
export interface Snapshot {
  readonly version: number
}
