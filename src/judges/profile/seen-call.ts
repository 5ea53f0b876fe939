import { isJsonArray, isJsonObject } from '../../base/json/is-object.ts'
import { readJson } from '../../base/json/read.ts'
import type { Int64, JsonObject, JsonValue } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import { copyText } from '../../base/text/copy-text.ts'
import { readHttpDate } from '../../base/time/http-date.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { Mismatch } from '../../service/call/answer.ts'
import { peekJsonBody } from '../../service/call/json-body.ts'
import { readQuery, readTarget } from '../../service/call/target.ts'
import { type OperationId, roleOf } from '../../service/operations/operations.ts'
import { effectiveMethod, findRoute } from '../../service/operations/routes.ts'
import { readPetOf } from '../../service/pets/create-pet.ts'
import { readListQuery } from '../../service/pets/list-pets.ts'
import { malformedKey, seenKey } from '../exchanges/seen-trace.ts'
import { byName } from '../exchanges/texts.ts'

/** What the learner keeps of a call. Each part is bounded. */
export interface SeenCall {
  readonly method: string
  readonly path: string
  readonly operation: OperationId | undefined
  /** Whether the API has the path, with any method. */
  readonly isRouted: boolean
  readonly query: ReadonlyMap<string, string | undefined>
  /** What is wrong with the query or the body, by the specification. */
  readonly wrong: Wrong | undefined
  /** Members of the body that it sent, and the pet's name. */
  readonly members: readonly string[]
  readonly name: string | undefined
  readonly client: string
  /** Null: no key. */
  readonly key: string | null
  /** Values that it sent, and that must not be in a profile. */
  readonly sent: readonly string[]
  readonly sentAt: number
  readonly answeredAt: number
  /** The service's clock: whole seconds, in milliseconds. */
  readonly date: number | undefined
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** Names of headers as the service writes them. */
  readonly names: readonly string[]
  /** An error, or a pet. */
  readonly json: JsonObject | undefined
  readonly list: SeenList | undefined
  /** About how many characters it holds. */
  readonly size: number
}

interface Wrong extends Mismatch {
  readonly code: string
  /** The code if the content type is checked last. */
  readonly lastCode: string
}

interface SeenList {
  readonly ids: readonly Int64[]
  /** The members that every pet has with the same value. */
  readonly shared: JsonObject
}

const longestObject = 16_384
const longestShared = 2_000
const longestList = 262_144
const longestText = 500
const mostHeaders = 60
const mostPets = 1_000
const longestTarget = 1_000

/** Undefined if the service did not answer by itself, or the response is not whole. */
export function seeCall(exchange: Exchange): SeenCall | undefined {
  const { call, reply, trace, cut } = exchange
  const { status, fault } = reply
  const isInjected = trace.synthetic || trace.rules !== undefined || trace.gate === 'failure'
  if (isInjected || fault !== undefined || status < 200 || status > 499) return undefined
  if (call.target.length > longestTarget) return undefined
  const { path, query } = readTarget(call.target)
  const kept = keptHeaders(Object.entries(reply.headers).flat())
  const headers = byName(kept)
  if (!path.startsWith('/v1/') || 'x-pet-mock' in headers) return undefined
  const found = findRoute(path)
  const operation = found?.route.operations.get(effectiveMethod(call.method))?.id
  const sent = byName(keptHeaders(call.headers))
  const pairs = readQuery(query)
  const body = cut.call === undefined ? peekJsonBody(call) : undefined
  const members = isJsonObject(body) ? body : {}
  const json = cut.reply === undefined ? readReply(reply.body) : undefined
  const hasObject = isJsonObject(json) && (reply.body ?? '').length <= longestObject
  return {
    method: call.method,
    path,
    operation,
    isRouted: found !== undefined,
    query: new Map(pairs.map(({ name, value }) => [name, value])),
    wrong: cut.call === undefined ? wrongOf(exchange, operation, query) : undefined,
    members: Object.keys(members)
      .slice(0, mostHeaders)
      .map(member => copyText(member.slice(0, longestText))),
    name: typeof members.name === 'string' ? copyText(members.name.slice(0, longestText)) : undefined,
    client: call.client,
    key: seenKey(sent.authorization),
    sent: [
      ...Object.entries(sent).flatMap(([name, value]) => (plainHeaders.test(name) ? [] : wordsOf(value))),
      ...pairs.flatMap(({ value = '' }) => wordsOf(value)),
      ...Object.values(members).flatMap(value => (typeof value === 'string' ? wordsOf(value) : [])),
    ]
      .slice(0, mostHeaders)
      .map(copyText),
    sentAt: call.receivedAt,
    answeredAt: exchange.answeredAt ?? call.receivedAt,
    date: headers.age === undefined ? readHttpDate(headers.date ?? '', 0)?.ms : undefined,
    status,
    headers,
    names: kept.filter((_, index) => index % 2 === 0),
    json: hasObject ? json : undefined,
    list: isJsonArray(json) ? readList(json) : undefined,
    size: 2_000 + kept.join('').length + (hasObject ? (reply.body?.length ?? 0) : 0),
  }
}

/** Headers of a call that hold nothing of its client. */
const plainHeaders =
  /^(?:accept.*|content-.*|host|connection|prefer|transfer-encoding|origin|cache-control|pragma)$/

/** The words that are long enough to be secret. */
export function wordsOf(text: string): readonly string[] {
  return text.slice(0, longestText).match(/[\w.~+/%@-]*\w{5}[\w.~+/%@-]*\w/g) ?? []
}

/** A lawful service may have cursors of its own. */
const strict = { pageSize: 'reject', pagination: 'none' } as const

function wrongOf({ call }: Exchange, operation: OperationId | undefined, query: string): Wrong | undefined {
  if (roleOf(operation) === 'list') {
    const asked = readListQuery(query, strict)
    const [problem, ...others] = 'problems' in asked ? asked.problems : []
    if (problem === undefined || others.length > 0 || problem.asked.length > longestText) return undefined
    return { ...problem, code: 'invalid_parameter', lastCode: 'invalid_parameter' }
  }
  if (roleOf(operation) !== 'create') return undefined
  const [first, last] = (['before-schema', 'after-schema'] as const).map(contentType => {
    const read = readPetOf(call, { contentType })
    return 'refusal' in read ? read.refusal : undefined
  })
  const [mismatch] = first?.mismatches ?? []
  if (first?.code === undefined || last?.code === undefined || mismatch === undefined) return undefined
  return mismatch.asked.length > longestText
    ? undefined
    : { ...mismatch, code: first.code, lastCode: last.code }
}

function keptHeaders(headers: readonly string[]): readonly string[] {
  const kept: string[] = []
  for (let at = 0; at < headers.length && kept.length < 2 * mostHeaders; at += 2) {
    const [name = '', value = ''] = headers.slice(at, at + 2)
    if (name.length + value.length <= longestText) kept.push(name, value)
  }
  return kept
}

function readReply(body: string | undefined): JsonValue | undefined {
  if (body === undefined || body.length > longestList) return undefined
  const read = readJson(body.replace(/^\ufeff/, ''))
  return 'value' in read ? read.value : undefined
}

function readList(list: readonly JsonValue[]): SeenList | undefined {
  const pets = list.slice(0, mostPets).filter(isJsonObject)
  const ids = pets.flatMap(({ id }) => (typeof id === 'number' || typeof id === 'bigint' ? [id] : []))
  if (ids.length !== list.length) return undefined
  const shared = writeJson(sharedMembers(pets))
  // Read anew, because parts of a text keep all of it in memory.
  const read = shared.length > longestShared ? undefined : readReply(shared)
  return { ids, shared: isJsonObject(read) ? read : {} }
}

/** The members that all objects have with the same value. */
export function sharedMembers(objects: readonly JsonObject[]): JsonObject {
  const [first = {}, ...others] = objects
  const shared = Object.entries(first).filter(([name, value]) => {
    const text = writeJson(value)
    return others.every(other => other[name] !== undefined && writeJson(other[name]) === text)
  })
  return Object.fromEntries(shared)
}

/** Whether the call sent something that can be a key. */
export function hasKey({ key }: SeenCall): boolean {
  return key !== null && key !== malformedKey
}

/** The calls of each key, in order. */
export function callsByKey(calls: readonly SeenCall[]): readonly (readonly SeenCall[])[] {
  const byKey = new Map<string, SeenCall[]>()
  for (const call of calls)
    if (hasKey(call)) {
      const own = byKey.get(call.key ?? '')
      if (own === undefined) byKey.set(call.key ?? '', [call])
      else own.push(call)
    }
  return [...byKey.values()]
}
