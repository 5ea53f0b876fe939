import type { Int64, JsonObject, JsonValue } from '../../base/json/value.ts'
import type { Fault } from '../../service/call/fault.ts'
import type { OperationId } from '../../service/operations/operations.ts'
import type { PetStatus } from '../../service/pets/pet.ts'
import type { Step } from './walkthrough.ts'

/** A field of a scenario file. `null` removes what the scenario that is extended gives, and the default holds. */
export type Given<T> = T | null | undefined

type Fields<T> = { readonly [Name in keyof T]?: Given<T[Name]> }

/**
 * A situation: what differs from the usual one. As a file it is YAML or JSON, in a program an object of this type.
 * Durations are texts such as `90s`, `15m`, `250ms`; instants are texts such as `2026-03-02T09:00:00Z`.
 */
export type ScenarioFile = Fields<{
  /** For editors of JSON files: where the schema is. */
  $schema: string
  /** What the scenario is called. Not inherited. */
  title: string
  /** What it shows, in a sentence or two. Not inherited. */
  description: string
  /** A shipped scenario, or the path of a file: this one says only what differs. Maps are merged, lists replaced. */
  extends: string
  /** The key that the scenario is about: banners and stories use it. Default: `demo-free`. */
  key: string
  /** All chance comes from it. Default: 1. */
  seed: number
  /** Whether, watched and saved, it starts every sandbox anew. Default: false. */
  reset: boolean
  /** Default: real time. */
  clock: ClockFields
  /** Plans by name, merged with free, pro, business and enterprise. */
  plans: Readonly<Record<string, Given<QuotaFields>>>
  /** API keys by name, merged with the fixtures' keys. */
  keys: Readonly<Record<string, Given<KeyFields>>>
  pets: PetsFields
  /** What goes wrong, and when: the first rule that fits a call acts on it. */
  rules: readonly RuleFields[]
  limits: LimitsFields
  /** `off`: nobody is banned. */
  bans: 'off' | BansFields
  /** A `limit` out of 1..100: refused with 400 (the default), or taken as the nearest in range. */
  pageSize: 'reject' | 'clamp'
  /** Whether a list says where its next page is. Default: `link`. */
  pagination: 'link' | 'none'
  deprecation: DeprecationFields
  /** A client's story: `scenarios play` acts it out and checks it. Not inherited. */
  walkthrough: readonly Step[]
}>

export type ClockFields = Fields<{
  /** Where it starts. Default: at real time. */
  at: string
  /** It stands still until it is moved. */
  frozen: boolean
  /** How many times as fast as real time it runs. Default: 1. */
  scale: number
}>

/** Calls in each window. */
export type QuotaFields = Fields<{ minute: number; day: number }>

export type KeyFields = Fields<{
  /** Must be given for a key that is not among the fixtures. */
  plan: string
  /** Calls already made in the windows that the key's first call opens. */
  used: QuotaFields
  /** Refused calls already made since the last accepted one. */
  strikes: number
  /** How long it is still banned. */
  banned: string
  revoked: boolean
  /** The instant from which it is invalid. */
  expires: string
  /** A quota of its own, in place of its plan's. */
  limits: QuotaFields
}>

export type PetsFields = Fields<{
  /** The fixtures' pets first, the rest made up; fewer than these leaves some out. Default: 100, or all of the fixtures'. */
  count: number
  /** The first pet's id; the others follow one by one. Default: 1. */
  firstId: Int64
  /** Ids whose pets were there and are gone. */
  gone: readonly Int64[]
  /** Pets that come after the others. */
  add: readonly NewPetFields[]
  /** What a pet gets that has no status, here or in a POST. Default: none. */
  defaultStatus: PetStatus
}>

export interface NewPetFields {
  readonly name: string
  readonly categoryId: Int64
  readonly status?: PetStatus | undefined
}

export type LimitsFields = Fields<{
  window: 'first-call' | 'calendar'
  headers: 'tightest' | 'minute' | 'day'
  countRefused: boolean
  retryAfter: 'seconds' | 'http-date'
  anonymous: 'report' | 'enforce'
}>

export type BansFields = Fields<{
  /** The refused call that bans. Default: 10. */
  after: number
  /** Default: `300s`. */
  for: string
  /** Refusals this soon after the first are not held against the key. Default: `0s`. */
  grace: string
  escalate: Fields<{ factor: number; max: string }>
  extend: boolean
  status: 429 | 401 | 403
}>

export type DeprecationFields = Fields<{
  since: string
  removedAt: string
  after: 404 | 410 | 'keep'
  brownouts: readonly { readonly from: string; readonly to: string }[]
}>

/** A field of a list's item: lists are replaced as a whole, so there is nothing that `null` would remove. */
type Items<T> = { readonly [Name in keyof T]?: T[Name] | undefined }

export type RuleFields = Items<{
  /** Default: `rule-1` for the first, and so on. */
  name: string
  match: MatchFields
  when: WhenFields
  then: ThenFields
  /** How often it acts, over all keys. */
  times: number
  /** How long it lives, from the start on. */
  ttl: string
}>

/** The calls that a rule is about; without a field, any. */
export type MatchFields = Items<{
  operation: OperationId
  /** `GET` stands for HEAD, too. */
  method: string
  /** With its `/v1`; `{petId}` stands for a segment, `*` for any characters of one. */
  path: string
  /** With `*` for any characters. */
  key: string
  plan: string
  /** With `*` for any characters of a value. */
  query: Readonly<Record<string, string | number | boolean>>
  /** What the body must hold at least. */
  body: JsonObject
}>

/** Which of those calls a rule acts on, counted for each key; without a field, all. */
export type WhenFields = Items<{
  first: number
  every: number
  /** A number of calls, or a duration from the start. */
  after: number | string
  /** Durations from the start. */
  between: readonly [from: string, to: string]
  probability: number
}>

/** What a rule does: an answer, a delay, a fault, or several of these. */
export type ThenFields = Items<{
  status: number
  /** Default: `injected_fault`. */
  code: string
  message: string
  headers: Readonly<Record<string, string | number>>
  /** In place of the Error shape: a text as it is, anything else as JSON. */
  body: JsonValue
  delay: string | DrawnDelay
  fault: Fault
}>

/** One of them: a delay that is drawn anew for each call. */
export type DrawnDelay = Items<{
  /** Between two durations, each as likely. */
  uniform: readonly [from: string, to: string]
  /** Half of the delays are shorter than the median, 99 of 100 shorter than p99. */
  lognormal: { readonly median: string; readonly p99: string }
}>
