import type { Int64 } from '../../base/json/value.ts'
import type { ConductReport } from '../../judges/conduct/conduct-report.ts'
import type { Explanation } from '../../judges/inspection/explain.ts'
import type { Filter } from '../../judges/inspection/filter.ts'
import type { RequestView } from '../../judges/inspection/view.ts'
import type { PetStatus } from '../../service/pets/pet.ts'
import type { RuleControls } from './rule-controls.ts'

/**
 * The methods to inspect and change an emulator. Each is a command of the admin plane and takes its fields: durations
 * such as `60s`, instants such as `2026-03-02T09:00:00Z`. A refused command rejects with a PetMockError and changes
 * nothing.
 */
export interface Controls {
  readonly clock: ClockControls
  readonly pets: PetControls
  /** The API keys, and their quotas and bans. */
  readonly apiKeys: KeyControls
  readonly requests: RequestControls
  /**
   * Reports how the clients behaved: findings, worst first, each with its calls and a remedy. A client that waits for
   * Retry-After and uses nothing deprecated has no errors and no warnings. `flights` adds the data for diagrams.
   */
  readonly conduct: (options?: { readonly flights?: boolean }) => Promise<ConductReport>
  readonly rules: RuleControls
  /** Restarts the scenario: pets, counts, bans, clock and rules, with an empty journal. */
  readonly reset: () => Promise<void>
  readonly snapshot: () => Promise<Snapshot>
  /** Restores a snapshot, completely or not at all. */
  readonly restore: (snapshot: Snapshot) => Promise<void>
}

/** An instant, as a string or as a Date. */
export type InstantLike = string | Date

export interface ClockState {
  /** The current instant, RFC 3339. */
  readonly at: string
  readonly frozen: boolean
  /** The speed relative to real time; 0 when frozen. */
  readonly scale: number
}

/** The clock of windows, bans, expiry and removal. Only a reset moves it back. */
export interface ClockControls {
  /** By a duration, such as `60s`, or to an instant. */
  readonly advance: (by: string | { readonly to: InstantLike }) => Promise<ClockState>
  /** Stops the clock, now or at a later instant. */
  readonly freeze: (options?: { readonly at?: InstantLike }) => Promise<ClockState>
  /** Lets the clock run, `scale` times as fast as real time. Default: 1. */
  readonly resume: (options?: { readonly scale?: number }) => Promise<ClockState>
  /** Moves the clock back to the start of the scenario. */
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

type PetChange = Partial<Omit<StoredPet, 'id' | 'status'>> & { readonly status?: PetStatus | null }

export interface PetControls {
  /** Lists pets by ascending id, Without `limit`, all of them.. */
  readonly list: (query?: {
    readonly status?: PetStatus
    /** Only pets with a greater id. */
    readonly after?: Int64
    readonly limit?: number
  }) => Promise<readonly StoredPet[]>
  readonly get: (id: Int64) => Promise<StoredPet | undefined>
  readonly add: (pet: Omit<StoredPet, 'id'>) => Promise<StoredPet>
  /** Changes the given fields only. A status of null removes the status. */
  readonly change: (id: Int64, pet: PetChange) => Promise<StoredPet>
  /** Resolves with the deleted pet. Its id is never used again. */
  readonly delete: (id: Int64) => Promise<StoredPet>
}

export interface Counts {
  readonly minute: number
  readonly day: number
}

/** The state of an API key. */
export interface KeyState {
  /** Without its sandbox. */
  readonly key: string
  readonly plan: string
  readonly limits: Counts
  readonly used: Counts
  readonly remaining: Counts
  /** The end of each window; null if no window is open. */
  readonly resets: { readonly minute: string | null; readonly day: string | null }
  /** Refused calls since the last accepted one. */
  readonly strikes: number
  /** How many strikes ban the key; null: bans are off. */
  readonly banAfter: number | null
  readonly bannedUntil: string | null
  readonly revoked: boolean
  readonly expires: string | null
}

export interface KeyChange {
  readonly plan?: string
  /** Calls in the open windows. */
  readonly used?: Partial<Counts>
  /** A quota for this key; null for the quota of its plan. */
  readonly limits?: Partial<Counts> | null
  readonly revoked?: boolean
  /** null: never. */
  readonly expires?: InstantLike | null
}

/** Takes keys with or without their sandbox. */
export interface KeyControls {
  readonly list: () => Promise<readonly KeyState[]>
  readonly get: (key: string) => Promise<KeyState | undefined>
  readonly add: (key: string, standing: KeyChange & { readonly plan: string }) => Promise<KeyState>
  readonly change: (key: string, change: KeyChange) => Promise<KeyState>
  /** Resolves with the deleted key. */
  readonly delete: (key: string) => Promise<KeyState>
  /** Bans the key for a duration such as `90s`. Default: the scenario's ban duration. */
  readonly ban: (key: string, options?: { readonly for?: string }) => Promise<KeyState>
  readonly unban: (key: string) => Promise<KeyState>
}

/** At most `limit` requests, newest first. `keys` is `masked` by default, so that logs may contain the list. */
type Listing = { readonly limit?: number; readonly keys?: 'masked' | 'shown' }

/** A request and the reasons for its response. */
export type ExplainedRequest = RequestView & { readonly explanation: Explanation }

/** The journal: the last requests of the sandbox, newest first. */
export interface RequestControls {
  readonly list: (listing?: Listing) => Promise<readonly RequestView[]>
  readonly find: (filter: Filter, listing?: Listing) => Promise<readonly RequestView[]>
  readonly count: (filter?: Filter) => Promise<number>
  /**
   * Resolves with the matching requests once `count` of them exist, earlier ones included. Rejects after `timeout` of
   * real time. Default: 1 request, `10s`.
   */
  readonly wait: (
    filter: Filter,
    options?: { readonly count?: number; readonly timeout?: string },
  ) => Promise<readonly RequestView[]>
  readonly clear: () => Promise<void>
  /** Explains the response to a request. */
  readonly explain: (id: number) => Promise<ExplainedRequest>
}

export type { ConductReport, KeyUsage } from '../../judges/conduct/conduct-report.ts'
export type { Filter as RequestFilter } from '../../judges/inspection/filter.ts'
export type { Evidence, Finding, Severity } from '../../judges/report/finding.ts'

export interface ScenarioState {
  readonly name: string
  readonly title: string
  readonly description: string | null
  /** The API key of the scenario, without its sandbox. */
  readonly key: string
  readonly seed: number
}

export interface ScenarioControls<Written> {
  readonly get: () => Promise<ScenarioState>
  /** Restarts with another scenario. */
  readonly set: (scenario: Written) => Promise<ScenarioState>
}

/** The whole state as a JSON value. */
export interface Snapshot {
  readonly version: number
}
