import type { JsonValue } from '../../base/json/value.ts'
import type { ClockStart } from '../../base/time/clock.ts'
import type {
  ConventionFields,
  EventCommand,
  OrderFields,
  ScenarioFields,
  StepFields,
} from '../../generated/scenario-fields.ts'
import type { BanSettings } from '../../service/bans/ban.ts'
import type { DeprecationSettings } from '../../service/deprecation/deprecation.ts'
import type { LimitSettings } from '../../service/limits/limiter.ts'
import type { ListSettings } from '../../service/pets/list-pets.ts'
import type { PetStatus } from '../../service/pets/pet.ts'
import type { PetStore } from '../../service/pets/store.ts'
import type { Quota } from '../../service/plans/plan.ts'
import type { Rule } from '../rules/rule.ts'

/** What a world starts from: every setting is settled. It never changes, so worlds share it. */
export interface Scenario {
  /** A shipped scenario's name, or the path of a file. */
  readonly name: string
  readonly title: string
  readonly description: string | undefined
  /** The key that banners and walkthroughs use. */
  readonly key: string
  readonly seed: number
  /** Whether worlds start anew when it replaces another scenario. */
  readonly reset: boolean
  readonly clock: ClockStart
  readonly plans: ReadonlyMap<string, Quota>
  readonly keys: ReadonlyMap<string, KeyStart>
  /** Worlds fork it, and never write to it. */
  readonly pets: PetStore
  readonly orders: readonly JsonValue[]
  /** In the order of the search. */
  readonly rules: readonly Rule[]
  readonly events: readonly ScenarioEvent[]
  readonly behaviour: Behaviour
  /** What it was settled from. Snapshots leave it out. */
  readonly origin?: Origin | undefined
  /** The steps of its own file, if it has some. Snapshots leave them out. */
  readonly walkthrough?: readonly StepFields<unknown>[]
}

/** A change that happens once, when a call arrives after a number of calls or a time. */
export interface ScenarioEvent {
  /** A number of calls, or milliseconds from the start. */
  readonly after: { readonly calls: number } | { readonly ms: number }
  /** The key whose calls count; undefined: all calls count. */
  readonly key: string | undefined
  readonly change: EventCommand
}

export interface KeyStart {
  readonly plan: string
  /** The quota of the key's plan, or the key's own. */
  readonly quota: Quota
  readonly used: Quota
  /** Refused calls since the last accepted one (A10). */
  readonly strikes: number
  readonly bannedForMs: number | undefined
  readonly revoked: boolean
  /** Milliseconds since the epoch. */
  readonly expiresAt: number | undefined
  /** The calls a minute of another client with this key. */
  readonly sharedPerMinute?: number | undefined
}

/** The settings for what the specification leaves open (docs/assumptions.md). */
export interface Behaviour extends Conventions {
  readonly limits: LimitSettings
  /** Undefined: no bans. */
  readonly bans: BanSettings | undefined
  /** The status of a pet that is created without one; undefined: none (A14). */
  readonly defaultStatus: PetStatus | undefined
  readonly deprecation: DeprecationSettings
}

/** What the service does in its own way. */
export interface Conventions
  extends ListSettings,
    Pick<ConventionFields, 'errors' | 'responses' | 'latency'> {
  /** Undefined: as pet-mock assumes (A01). */
  readonly order?: { readonly [Name in keyof OrderFields]-?: NonNullable<OrderFields[Name]> } | undefined
}

interface Origin {
  /** The scenario as its file and flags give it. */
  readonly given: ScenarioFields<unknown>
  /** What was learned about the service, for what the scenario does not give. */
  readonly profile?: Profile | undefined
}

/** What was learned about one setting of a service. */
export interface Line {
  /** As a scenario writes it. Of an error: `code` and `message`; of a latency: `median` and `p99`. */
  readonly value?: unknown
  readonly atLeast?: unknown
  readonly atMost?: unknown
  /** Only of the state `other`: what was seen, which no value describes. The same has the same text. */
  readonly shows?: string
  readonly state: 'observed' | 'inferred' | 'bounded' | 'contradicted' | 'other'
  /** How many calls, windows or bans showed it. */
  readonly seen: number
  /** A day in UTC: `2026-11-22`. */
  readonly last: string
  /** The number of different minutes in which it was seen. Files have it within `values` only. */
  readonly windows?: number
  /** Both observations of a contradicted line, the older one first. */
  readonly values?: readonly Sighting[]
}

export interface Sighting {
  readonly value: unknown
  readonly seen: number
  readonly last: string
  readonly windows: number
}

/** What was learned about a service, by the path of each setting in a scenario: `limits.window`. */
export interface Profile {
  readonly profile: 1
  readonly service: string
  readonly learned: Readonly<Record<string, Line>>
  /** The assumed settings that nothing has shown yet. */
  readonly unknown: readonly string[]
}
