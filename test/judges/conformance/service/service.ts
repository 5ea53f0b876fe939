import { readJson } from '../../../../src/base/json/read.ts'
import type { JsonObject, JsonValue } from '../../../../src/base/json/value.ts'
import { writeJson } from '../../../../src/base/json/write.ts'
import type { Standing } from './limiters.ts'
import { type Call, named, type Reply, type Traits, usual } from './traits.ts'

/**
 * A pet adoption service, written by hand from the specification alone. It shares JSON reading and writing with pet-mock, nothing
 * else. Its traits are the places where a service may differ, or be wrong.
 */
export function createService(traits: Partial<Traits> = {}) {
  const t: Traits = { ...usual, ...traits }
  const pets = new Map<string, JsonObject>(t.pets.map(pet => [String(pet.id), pet]))
  let nextId = t.firstNewId
  const limiter = t.limiter(t.quota)
  const anonymous = t.limiter(t.quota)
  const ban = { strikes: 0, until: 0 }

  const error = (status: number, message: string): Reply => ({
    status,
    headers: {},
    text: writeJson({ code: `E${status}`, message, status }),
  })

  const list = (call: Call, query: URLSearchParams): Reply => {
    const limit = Number(query.get('limit') ?? t.defaultLimit)
    const status = query.get('status')
    if (!Number.isInteger(limit) || limit < 1 || limit > 100) return t.badQuery(error(400, 'limit'), call)
    if (status !== null && !['available', 'pending', 'sold'].includes(status))
      return t.badQuery(error(400, 'status'), call)
    const found = t
      .visible([...pets.values()], call, status)
      .toSorted(t.order)
      .filter(pet => status === null || pet.status === status)
    const from = Number(query.get('from') ?? 0)
    const page = found.slice(from, from + Math.min(limit, t.pageMost))
    const left = found.length - from - page.length
    const next = named({ from: `${from + page.length}`, limit: query.get('limit'), status })
    const link = left > 0 && t.link(`http://${call.headers.host}/v1/pets?${next}`, call)
    return { status: 200, headers: link ? { link } : {}, text: writeJson(page.map(t.shown)) }
  }

  const create = (call: Call): Reply => {
    const reading = readJson(call.body ?? '')
    const sent = 'value' in reading ? reading.value : undefined
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return error(400, 'no JSON object')
    const problem = t.problem(sent as JsonObject)
    if (problem !== undefined) return { ...error(400, problem), ...t.refusalOf(problem) }
    const { name, categoryId, status } = sent as JsonObject
    const pet = t.stored({ id: nextId, name, categoryId, ...(status != null && { status }) } as JsonObject)
    nextId += t.idStep
    pets.set(String(pet.id), pet)
    return { status: 201, headers: t.created(pet), text: writeJson(t.shown(pet)) }
  }

  const get = (call: Call, id: string): Reply => {
    if (t.isGone(call)) return error(404, 'gone')
    const pet = t.visible([...pets.values()], call, null).find(pet => String(pet.id) === id)
    return pet ? { status: 200, headers: t.ofPet, text: writeJson(t.shown(pet)) } : error(404, 'unknown')
  }

  const route = (call: Call): Reply => {
    const { pathname, searchParams } = new URL(call.target, 'http://service')
    const id = /^\/v1\/pets\/(.+)$/.exec(pathname)?.[1]
    if (call.method === 'GET' && pathname === '/v1/pets') return list(call, searchParams)
    if (call.method === 'POST' && pathname === '/v1/pets') return create(call)
    if (call.method === 'GET' && id !== undefined) return get(call, id)
    if (call.method === 'GET' && pathname === '/v1/store/orders') return t.orders
    if (pathname === '/v1/pets' && call.method === 'HEAD') return t.head(list(call, searchParams))
    if (pathname === '/v1/pets') return { ...error(405, 'method'), headers: { allow: 'GET, POST' } }
    return error(404, 'no such path')
  }

  const limited = (reply: Reply, standing: Standing, call: Call): Reply => ({
    ...reply,
    headers: {
      date: new Date(call.at).toUTCString(),
      'content-type': 'application/json',
      ...(t.hasLimits(call, reply) && t.limitHeaders(standing, call, reply.status)),
      ...reply.headers,
    },
  })

  const refuse = (standing: Standing, call: Call): Reply => {
    ban.strikes += 1
    if (t.banAfter !== undefined && ban.strikes >= t.banAfter) ban.until = call.at + t.banFor
    const retry = t.retryAfter(Math.max(1, Math.ceil((standing.retryAt - call.at) / 1_000)), call.at)
    return limited(
      { status: 429, headers: retry === undefined ? {} : { 'retry-after': retry }, text: t.refusalText },
      t.onRefusal(standing, call.at),
      call,
    )
  }

  const answer = (call: Call): Reply => {
    if (!t.isAllowed(call)) {
      const challenge = { 'www-authenticate': 'Bearer' }
      if (t.chargesOthers(call)) limiter.take(call.at, 1)
      return limited({ ...error(401, 'key'), headers: challenge }, anonymous.take(call.at, 1), call)
    }
    if (call.at < ban.until) {
      const seconds = `${Math.ceil((ban.until - call.at) / 1_000)}`
      const banned = error(t.banStatus, 'banned')
      const headers = { 'retry-after': seconds, 'www-authenticate': 'Bearer' }
      return limited(
        { ...banned, headers },
        { ...limiter.look(call.at), remaining: 0, resetAt: ban.until },
        call,
      )
    }
    const before = limiter.look(call.at)
    if (t.isRefused(before, call)) return refuse(before, call)
    ban.strikes = 0
    const reply = route(call)
    return limited(reply, limiter.take(call.at, t.cost(call, reply.status)), call)
  }

  return {
    handle: (call: Call): Reply => {
      const reply = t.edit(answer(t.reading(call)), call)
      return call.method === 'HEAD' ? { ...reply, text: '' } : reply
    },
    /** Someone else changes the animals. */
    change: (id: JsonValue, pet: JsonObject | undefined) => {
      if (pet === undefined) pets.delete(String(id))
      else pets.set(String(id), pet)
    },
  }
}

export type Service = ReturnType<typeof createService>
