import type { JsonObject, JsonValue } from '../../../../src/base/json/value.ts'
import { fixedWindows, type Limiter, type Quota, type Standing } from './limiters.ts'

export interface Call {
  readonly method: string
  /** With `/v1`. */
  readonly target: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** Epoch milliseconds. */
  readonly at: number
}

export interface Reply {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export const key = 'Key-of.the~service'

/** Where services differ, and where they are wrong. */
export interface Traits {
  readonly pets: readonly JsonObject[]
  readonly firstNewId: number
  readonly idStep: number
  readonly order: (one: JsonObject, other: JsonObject) => number
  readonly defaultLimit: number
  /** The most animals of a page, whatever `limit` says. */
  readonly pageMost: number
  readonly quota: Quota
  readonly limiter: (quota: Quota) => Limiter
  /** What a request uses up. */
  readonly cost: (call: Call, status: number) => number
  /** Whether a call without a valid key uses up the key's quota. */
  readonly chargesOthers: (call: Call) => boolean
  readonly isRefused: (standing: Standing, call: Call) => boolean
  readonly isAllowed: (call: Call) => boolean
  readonly hasLimits: (call: Call, reply: Reply) => boolean
  readonly limitHeaders: (standing: Standing, call: Call, status: number) => Reply['headers']
  readonly onRefusal: (standing: Standing, at: number) => Standing
  readonly retryAfter: (seconds: number, at: number) => string | undefined
  readonly refusalText: string
  /** Refused calls until a ban. */
  readonly banAfter: number | undefined
  readonly banFor: number
  readonly banStatus: number
  /** The animals that a call sees. */
  readonly visible: (pets: readonly JsonObject[], call: Call, status: string | null) => readonly JsonObject[]
  readonly isGone: (call: Call) => boolean
  /** Headers of an animal. */
  readonly ofPet: Reply['headers']
  readonly shown: (pet: JsonObject) => JsonValue
  readonly stored: (pet: JsonObject) => JsonObject
  /** Why a body is refused. */
  readonly problem: (sent: JsonObject) => string | undefined
  readonly refusalOf: (problem: string) => Partial<Reply>
  readonly created: (pet: JsonObject) => Reply['headers']
  readonly link: (url: string, call: Call) => string
  readonly badQuery: (reply: Reply, call: Call) => Reply
  readonly orders: Reply
  readonly head: (reply: Reply) => Reply
  readonly reading: (call: Call) => Call
  readonly edit: (reply: Reply, call: Call) => Reply
}

const statuses = ['available', 'pending', 'sold'] as const

/** Animals with sparse ids, in an order of their own. */
export const herd: readonly JsonObject[] = Array.from({ length: 43 }, (_, at) => ({
  id: 7 + at * 3,
  name: at === 5 ? 'Zoë' : `Pet ${at}`,
  categoryId: 1 + (at % 4),
  ...(at % 5 < 3 && { status: statuses[at % 3] ?? 'sold' }),
}))

/** A lawful service that does nothing unusual. */
export const usual: Traits = {
  pets: herd,
  firstNewId: 1_000,
  idStep: 1,
  order: (one, other) => Number(one.id) - Number(other.id),
  defaultLimit: 20,
  pageMost: 100,
  quota: { minute: 60, day: 1_000 },
  limiter: quota => fixedWindows(quota),
  cost: () => 1,
  chargesOthers: () => false,
  isRefused: ({ isFree }) => !isFree,
  isAllowed: ({ headers }) => headers.authorization?.replace(/^bearer /i, '') === key,
  hasLimits: () => true,
  limitHeaders: ({ limit, remaining, resetAt }) => ({
    'x-ratelimit-limit': `${limit}`,
    'x-ratelimit-remaining': `${remaining}`,
    'x-ratelimit-reset': `${Math.ceil(resetAt / 1_000)}`,
  }),
  onRefusal: standing => standing,
  retryAfter: seconds => `${seconds}`,
  refusalText: '{"code":"slow_down","message":"Too many requests","status":429}',
  banAfter: 10,
  banFor: 300_000,
  banStatus: 429,
  visible: pets => pets,
  isGone: () => false,
  ofPet: {
    sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
    link: '</v1/pets>; rel="successor-version"',
  },
  shown: pet => pet,
  stored: pet => pet,
  problem: ({ name, categoryId, status }) => {
    if (typeof name !== 'string') return 'name'
    const isInteger = typeof categoryId === 'bigint' || Number.isInteger(categoryId)
    if (!isInteger) return 'categoryId'
    const isStatus = status === undefined || statuses.some(known => known === status)
    return isStatus ? undefined : 'status'
  },
  refusalOf: () => ({}),
  created: ({ id }) => ({ location: `/v1/pets/${String(id)}` }),
  link: url => `<${url}>; rel="next"`,
  badQuery: reply => reply,
  orders: { status: 200, headers: {}, text: '[]' },
  head: reply => reply,
  reading: call => call,
  edit: reply => reply,
}

/** A query, without the parameters that are missing. */
export function named(values: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  )
  return new URLSearchParams(Object.fromEntries(given)).toString()
}
