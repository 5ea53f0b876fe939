import type { Int64 } from '../json/value.ts'
import type { PetStatus } from '../pets/pet.ts'
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
  /** Default: real time. */
  clock: ClockFields
  /** Plans by name, merged with free, pro, business and enterprise. */
  plans: Readonly<Record<string, Given<QuotaFields>>>
  /** API keys by name, merged with the fixtures' keys. */
  keys: Readonly<Record<string, Given<KeyFields>>>
  pets: PetsFields
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
  /** The fixtures' pets first, made up to this many. Default: 100. */
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
