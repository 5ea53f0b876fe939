import { isJsonArray, isJsonObject } from '../../base/json/is-object.ts'
import { readJson } from '../../base/json/read.ts'
import type { Int64, JsonObject, JsonValue } from '../../base/json/value.ts'
import { readHttpDate } from '../../base/time/http-date.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { readQuery, readTarget } from '../../service/call/target.ts'
import type { OperationId } from '../../service/operations/operations.ts'
import { effectiveMethod, findRoute } from '../../service/operations/routes.ts'
import { readListQuery } from '../../service/pets/list-pets.ts'
import { malformedKey, seenKey } from '../exchanges/seen-trace.ts'
import { bodyText, byName } from '../exchanges/texts.ts'

/** What the learner keeps of a call: nothing of it is longer than the bounds below. */
export interface SeenCall {
  readonly method: string
  readonly path: string
  /** The only operation of the path and method; undefined: the API has none there. */
  readonly operation: OperationId | undefined
  /** Whether the API has the path, with any method. */
  readonly isRouted: boolean
  /** The last segment of a path with a parameter. */
  readonly id: string
  /** The values of `limit` and `status`; undefined if it was sent twice, or was unreadable. */
  readonly query: ReadonlyMap<string, string | undefined>
  /** The wrong parameters of a list. */
  readonly problems: readonly { readonly field: string; readonly value: string }[]
  /** Names whose first one is the client, and the key; null: no key. */
  readonly client: string
  readonly key: string | null
  readonly contentType: string | undefined
  /** `cut`: it is not known. */
  readonly body: string | 'cut' | undefined
  readonly sentAt: number
  /** Undefined if the source has no real times. */
  readonly tookMs: number | undefined
  /** The service's clock: whole seconds, in milliseconds. */
  readonly date: number | undefined
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** As the service writes their names. */
  readonly names: readonly string[]
  /** An error, or a pet. */
  readonly json: JsonObject | undefined
  readonly list: SeenList | undefined
}

interface SeenList {
  readonly ids: readonly Int64[]
  /** The members that every pet has with the same value. */
  readonly shared: JsonObject
}

const longestBody = 4_096
const longestError = 16_384
const longestList = 262_144
const longestHeader = 500
const mostHeaders = 60
const mostPets = 1_000
const longestTarget = 1_000

/** A lawful service may read a cursor of its own. */
const strict = { pageSize: 'reject', pagination: 'none' } as const

/** Undefined if the service did not answer by itself, or the answer is not whole. */
export function seeCall(exchange: Exchange): SeenCall | undefined {
  const { call, reply, trace, answeredAt, cut } = exchange
  const { status, fault } = reply
  const isInjected = trace.synthetic || trace.rules !== undefined || trace.gate === 'failure'
  if (isInjected || fault !== undefined || status < 200 || status > 499) return undefined
  if (call.target.length > longestTarget) return undefined
  const headers = keptHeaders(reply.headers)
  const named = byName(headers)
  const { path, query } = readTarget(call.target)
  if (!path.startsWith('/v1/') || 'x-pet-mock' in named) return undefined
  const found = findRoute(path)
  const operation = found?.route.operations.get(effectiveMethod(call.method))?.id
  const sent = byName(call.headers)
  const date = readHttpDate(named.date ?? '', 0)?.ms
  const body = bodyText(call.body)
  const isLong = (body?.length ?? 0) > longestBody || call.body === 'too-large'
  const json = cut.reply === undefined ? readReply(reply.body, status) : undefined
  const asked = operation === 'listPets' ? readListQuery(query, strict) : undefined
  const wrong = asked !== undefined && 'problems' in asked ? asked.problems : []
  return {
    method: call.method,
    path,
    operation,
    isRouted: found !== undefined,
    id: found?.parameter ?? '',
    query: new Map(readQuery(query).map(({ name, value }) => [name, value])),
    problems: wrong.map(one => ({ field: one.what, value: one.asked })),
    client: call.client,
    key: seenKey(sent.authorization),
    contentType: sent['content-type'],
    body: isLong || cut.call !== undefined ? 'cut' : body,
    sentAt: call.receivedAt,
    tookMs:
      answeredAt !== undefined && answeredAt > call.receivedAt ? answeredAt - call.receivedAt : undefined,
    date: named.age === undefined ? date : undefined,
    status,
    headers: named,
    names: headers.filter((_, index) => index % 2 === 0),
    json: isJsonObject(json) ? json : undefined,
    list: isJsonArray(json) ? readList(json) : undefined,
  }
}

function keptHeaders(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers)
    .slice(0, mostHeaders)
    .flatMap(([name, value]) => (name.length + value.length > longestHeader ? [] : [name, value]))
}

function readReply(body: string | undefined, status: number): JsonValue | undefined {
  if (body === undefined || body.length > (status < 400 ? longestList : longestError)) return undefined
  const read = readJson(body.replace(/^\ufeff/, ''))
  return 'value' in read ? read.value : undefined
}

function readList(list: readonly JsonValue[]): SeenList | undefined {
  const pets = list.slice(0, mostPets).filter(isJsonObject)
  const ids = pets.flatMap(({ id }) => (typeof id === 'number' || typeof id === 'bigint' ? [id] : []))
  if (ids.length !== list.length) return undefined
  return { ids, shared: sharedMembers(pets) }
}

/** The members that all objects have with the same value. */
export function sharedMembers(objects: readonly JsonObject[]): JsonObject {
  const [first = {}, ...others] = objects
  const text = (value: JsonValue | undefined) =>
    JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}` : one))
  const shared = Object.entries(first).filter(([name, value]) =>
    others.every(other => Object.hasOwn(other, name) && text(other[name]) === text(value)),
  )
  return Object.fromEntries(shared)
}

/** The body of a call as JSON; undefined if it is none, or not known. */
export function sentJson({ body }: SeenCall): JsonValue | undefined {
  const read = body === undefined || body === 'cut' ? undefined : readJson(body)
  return read !== undefined && 'value' in read ? read.value : undefined
}

/** Whether the call sent something as a key that could be one. */
export function hasKey({ key }: SeenCall): boolean {
  return key !== null && key !== malformedKey
}
