import { isJsonArray, isJsonObject, objectOf } from '../../base/json/is-object.ts'
import type { Int64, JsonObject, JsonValue } from '../../base/json/value.ts'
import { writeJson } from '../../base/json/write.ts'
import { copyText } from '../../base/text/copy-text.ts'
import { readHttpDate } from '../../base/time/http-date.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { pairsOf } from '../../service/call/headers.ts'
import { peekJsonBody } from '../../service/call/json-body.ts'
import { readQuery, readTarget } from '../../service/call/target.ts'
import type { OperationId } from '../../service/operations/operations.ts'
import { effectiveMethod, findRoute } from '../../service/operations/routes.ts'
import { readPetOf } from '../../service/pets/create-pet.ts'
import { readListQuery } from '../../service/pets/list-pets.ts'
import { malformedKey, seenKey } from '../exchanges/seen-trace.ts'
import { bodyJson, byName } from '../exchanges/texts.ts'

/** What the learner keeps of a call. Each part is bounded. */
export type SeenCall = NonNullable<ReturnType<typeof seeCall>>

const longestObject = 16_384
const longestList = 262_144
const longestText = 500
const mostHeaders = 60
const mostPets = 1_000

/** Undefined if the service did not answer by itself, or the response is not whole. */
export function seeCall({ call, reply, trace, cut, answeredAt = call.receivedAt }: Exchange) {
  const { status, fault, body = '' } = reply
  const isInjected = trace.synthetic || trace.rules !== undefined || trace.gate === 'failure'
  const { path, query } = readTarget(call.target)
  const kept = keptHeaders(Object.entries(reply.headers).flat())
  const headers = byName(kept)
  if (isInjected || 'x-pet-mock' in headers || fault !== undefined || status < 200 || status > 499)
    return undefined
  if (!path.startsWith('/v1/') || call.target.length > 2 * longestText) return undefined
  const found = findRoute(path)
  const operation = found?.route.operations.get(effectiveMethod(call.method))?.id
  const sent = byName(keptHeaders(call.headers))
  const pairs = readQuery(query)
  const sentBody = cut.call === undefined ? peekJsonBody(call) : undefined
  const members = objectOf(sentBody)
  const json = cut.reply === undefined && body.length <= longestList ? bodyJson(body) : undefined
  const hasObject = isJsonObject(json) && body.length <= longestObject
  const values = [
    ...Object.entries(sent).flatMap(([name, value]) => (plainHeaders.test(name) ? [] : value)),
    ...pairs.map(({ value = '' }) => value),
    ...Object.values(members).flatMap(value => (typeof value === 'string' ? value : [])),
  ]
  return {
    method: call.method,
    path,
    operation,
    /** Whether the API has the path, with any method. */
    isRouted: found !== undefined,
    query: new Map(pairs.map(({ name, value }) => [name, value])),
    wrong: cut.call === undefined ? wrongOf(call, operation, query) : undefined,
    /** Members of the body, and the pet's name. */
    members: Object.keys(members).slice(0, mostHeaders).map(cutText),
    name: typeof members.name === 'string' ? cutText(members.name) : undefined,
    client: call.client,
    /** Null: none. */
    key: seenKey(sent.authorization),
    /** Words that it sent, and that must not be in a profile. */
    sent: values.slice(0, mostHeaders).flatMap(wordsOf),
    sentAt: call.receivedAt,
    answeredAt,
    /** The service's clock, in milliseconds: whole seconds. */
    date: headers.age === undefined ? readHttpDate(headers.date ?? '', 0)?.ms : undefined,
    status,
    /** By lower-case name. */
    headers,
    names: kept.filter((_, index) => index % 2 === 0),
    /** An error, or a pet. */
    json: hasObject ? json : undefined,
    list: isJsonArray(json) ? readList(json) : undefined,
    /** About how many characters it holds. */
    size: 2_000 + kept.join('').length + (hasObject ? body.length : 0),
  }
}

/** Headers of a call that hold nothing of its client. */
const plainHeaders = /^(?:accept.*|content-.*|host|connection|prefer|transfer-encoding|cache-control|pragma)$/

/** Copies a text, because a part of a body keeps all of it in memory. */
function cutText(text: string): string {
  return copyText(text.slice(0, longestText))
}

/** The words of a text that are long enough to be secret. */
export function wordsOf(text: string): readonly string[] {
  return (cutText(text).match(/[\w.~+/%@-]{6,}/g) ?? []).map(word => word.replace(/[.]+$/, ''))
}

/** What is wrong with a query or body. `lastCode`: the code if the content type is checked last. */
function wrongOf(call: Exchange['call'], operation: OperationId | undefined, query: string) {
  if (operation === 'listPets') {
    // A lawful service may have cursors of its own.
    const asked = readListQuery(query, { pageSize: 'reject', pagination: 'none' })
    const [problem, ...others] = 'problems' in asked ? asked.problems : []
    const code = 'invalid_parameter'
    return problem && others.length === 0 ? { ...problem, code, lastCode: code } : undefined
  }
  if (operation !== 'createPet') return undefined
  const first = readPetOf(call, { contentType: 'before-schema' })
  const last = readPetOf(call, { contentType: 'after-schema' })
  if (!('refusal' in first && 'refusal' in last)) return undefined
  const { code = '', mismatches: [mismatch] = [] } = first.refusal
  return mismatch && { ...mismatch, asked: cutText(mismatch.asked), code, lastCode: last.refusal.code ?? '' }
}

function keptHeaders(headers: readonly string[]): readonly string[] {
  const short = pairsOf(headers).filter(pair => pair.join('').length <= longestText)
  return short.slice(0, mostHeaders).flat()
}

/** The ids of a list of pets, and the members that all of them have with the same value. */
function readList(list: readonly JsonValue[]) {
  const pets = list.slice(0, mostPets).filter(isJsonObject)
  const ids = pets.flatMap(({ id }): Int64[] =>
    typeof id === 'number' || typeof id === 'bigint' ? [id] : [],
  )
  const text = writeJson(sharedMembers(pets))
  const shared = text.length > longestObject ? undefined : bodyJson(text)
  return ids.length === list.length ? { ids, shared: objectOf(shared) } : undefined
}

/** The members that all objects have with the same value. */
export function sharedMembers([first = {}, ...others]: readonly JsonObject[]): JsonObject {
  const shared = Object.entries(first).filter(([name, value]) => {
    const text = writeJson(value)
    return others.every(other => other[name] !== undefined && writeJson(other[name]) === text)
  })
  return Object.fromEntries(shared)
}

/** The calls of each key, in order. */
export function callsByKey(calls: readonly SeenCall[]): readonly (readonly SeenCall[])[] {
  const byKey = new Map<string, SeenCall[]>()
  for (const call of calls)
    if (call.key !== null && call.key !== malformedKey) {
      const own = byKey.get(call.key)
      if (own === undefined) byKey.set(call.key, [call])
      else own.push(call)
    }
  return [...byKey.values()]
}
