import { isJsonArray, isJsonObject } from '../../base/json/is-object.ts'
import { writeJson } from '../../base/json/write.ts'
import { formatDuration } from '../../base/time/duration.ts'
import type { CallStep, Expectation, HeaderExpectation, Step } from '../../control/scenario/file.ts'
import { nextLink } from '../../service/call/link.ts'
import { readQuery, readTarget } from '../../service/call/target.ts'
import { roleOf } from '../../service/operations/operations.ts'
import { malformedKey } from '../exchanges/seen-trace.ts'
import { idInPath, type PetBook, type PetChange, readSeenPet, readSeenPets } from './pet-book.ts'
import type { PetWorld } from './pet-world.ts'
import { readRate, readRetryAfter, type Take } from './take.ts'

export interface StepsOptions {
  readonly takes: readonly Take[]
  readonly book: PetBook
  readonly world: PetWorld
  /** The scenario's key, which steps do not repeat. */
  readonly key: string | undefined
  /** Calls that open windows before the recording, in the order of time. */
  readonly openings: readonly { readonly key: string; readonly at: number }[]
}

/** Takes that are alike and become one step. */
interface Group {
  readonly takes: Take[]
  readonly withLimit: boolean
}

/** The steps of a walkthrough that repeats the takes. */
export function stepsOf(options: StepsOptions): readonly Step[] {
  const { takes, book, world, openings } = options
  const steps: Step[] = []
  let now = openings[0]?.at ?? takes[0]?.at ?? 0
  const moveTo = (at: number) => {
    if (at > now) steps.push({ advance: formatDuration(at - now) })
    now = Math.max(now, at)
  }
  for (const { key, at } of openings) {
    moveTo(at)
    steps.push({ note: openingNote, call: 'GET /v1/pets', ...(key !== options.key && { key }) })
  }
  const change = createChanges(takes, book, world)
  const write = createWriter(options)
  let group: Group | undefined
  const flush = () => {
    if (group !== undefined) steps.push(...write(group))
    group = undefined
  }
  const limits = new Map<string, number>()
  takes.forEach((take, index) => {
    const changes = change(take, index)
    const limit = readRate(take)?.limit
    const withLimit = limit !== undefined && limits.get(take.key ?? '') !== limit
    if (limit !== undefined) limits.set(take.key ?? '', limit)
    const last = group?.takes.at(-1)
    if (last !== undefined && take.at <= now && changes.length === 0 && !withLimit && isAlike(last, take)) {
      group?.takes.push(take)
      return
    }
    flush()
    moveTo(take.at)
    steps.push(...changes)
    group = { takes: [take], withLimit }
  })
  flush()
  return steps
}

const openingNote = 'Opens the window that was open when the recording began.'

/** One answer of each status may differ only in what the group's last answer says. */
function isAlike(one: Take, other: Take): boolean {
  const bodyOf = ({ json }: Take) => (json === undefined ? undefined : writeJson(json))
  return (
    one.method === other.method &&
    one.target === other.target &&
    one.key === other.key &&
    roleOf(one.operation) !== 'create' &&
    one.cluster === other.cluster &&
    JSON.stringify(one.headers) === JSON.stringify(other.headers) &&
    (one.status !== other.status || one.status >= 400 || bodyOf(one) === bodyOf(other))
  )
}

/** Changes from outside that must come before a take. */
function createChanges(takes: readonly Take[], { changes }: PetBook, world: PetWorld) {
  const byTake = new Map<number, PetChange[]>()
  for (const change of changes) byTake.set(change.before, [...(byTake.get(change.before) ?? []), change])
  const accepted = new Set(takes.filter(({ status }) => status !== 401).map(({ key }) => key))
  const revoked = new Set<string>()
  return ({ key, status }: Take, index: number): readonly Step[] => {
    const steps: Step[] = (byTake.get(index) ?? []).map(change => ({ change: world.commandOf(change) }))
    if (key === null || !accepted.has(key) || (status === 401) === revoked.has(key)) return steps
    if (status === 401) revoked.add(key)
    else revoked.delete(key)
    return [...steps, { change: { do: 'changeKey', key, revoked: status === 401 } }]
  }
}

function createWriter({ takes, book, world, key }: StepsOptions) {
  const cursors = createCursors(takes)
  return ({ takes: alike, withLimit }: Group): readonly Step[] => {
    const last = alike.at(-1)
    if (last === undefined) return []
    const created = roleOf(last.operation) === 'create' ? readSeenPet(last.json)?.id : undefined
    const name = created === undefined ? undefined : book.created.get(created)?.name
    const save = Object.assign(
      name === undefined ? {} : { [name]: 'body.id' },
      ...alike.map(take => cursors.savedBy(take)),
    )
    const isMalformed = last.key === malformedKey
    const headers = { ...last.headers, ...(isMalformed && { Authorization: malformedKey }) }
    const step: CallStep = {
      ...(last.operation === undefined && !isOwnRefusal(last) && { note: unknownNote }),
      call: `${last.method} ${targetOf(last, world, cursors)}`,
      ...(last.key !== key && { key: isMalformed ? null : last.key }),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(last.body !== undefined && { body: last.body }),
      ...(alike.length > 1 && (isParallel(alike) ? { parallel: alike.length } : { repeat: alike.length })),
      ...(Object.keys(save).length > 0 && !isParallel(alike) && { save }),
    }
    const expect = expectationOfAll(alike, expectationOf(last, world, withLimit))
    return [Object.keys(expect).length === 0 ? step : { ...step, expect }]
  }
}

function targetOf(take: Take, world: PetWorld, cursors: ReturnType<typeof createCursors>): string {
  const { path, query } = readTarget(take.target)
  const written = query === '' ? '' : `?${cursors.inQuery(query)}`
  if (roleOf(take.operation) !== 'read') return path + written
  const id = idInPath(take)
  const own = world.idOf(id, take.index)
  const shown = own === id || `${own}` === id ? path.split('/').at(-1) : `${own}`
  return `/v1/pets/${shown}${written}`
}

const unknownNote = 'The API has no such operation. The call still counts.'

/** Lists up to these lengths are expected with the names of their pets, or with their ids. */
const mostNames = 5
const mostIds = 20

/** What the answer of a take must be when it is played. `withLimit`: also the limit itself. */
function expectationOf(take: Take, world: PetWorld, withLimit: boolean): Expectation {
  const headers = expectedHeaders(take, withLimit, world)
  const hasHeaders = Object.keys(headers).length > 0
  // The emulator has no such operation, but it counts the call.
  if (take.operation === undefined && !isOwnRefusal(take)) return hasHeaders ? { headers } : {}
  const body = take.method === 'HEAD' ? {} : expectedBody(take, world)
  return { status: take.status, ...(hasHeaders && { headers }), ...body }
}

/** Answers that the emulator gives for paths and methods that it does not have. */
function isOwnRefusal({ status }: Take): boolean {
  return status === 401 || status === 404 || status === 405 || status === 429
}

function expectedHeaders(take: Take, withLimit: boolean, world: PetWorld): Record<string, HeaderExpectation> {
  const rate = take.key === null || take.status === 401 ? undefined : readRate(take)
  const { link, location } = take.answer
  const wait = readRetryAfter(take)
  const created = readSeenPet(take.json)
  return {
    ...(rate !== undefined && withLimit && { 'X-RateLimit-Limit': rate.limit }),
    ...(rate !== undefined && take.cluster === undefined && { 'X-RateLimit-Remaining': rate.remaining }),
    ...('retry-after' in take.answer && { 'Retry-After': wait ?? true }),
    ...(roleOf(take.operation) === 'list' && nextLink(link) !== undefined && { Link: true }),
    ...(take.status === 201 &&
      created !== undefined &&
      location !== undefined && {
        Location:
          location === `/v1/pets/${created.id}` ? `/v1/pets/${world.idOf(created.id, take.index)}` : true,
      }),
  }
}

function expectedBody(take: Take, world: PetWorld): Pick<Expectation, 'body' | 'length'> {
  const { status, json, code, operation } = take
  if (status >= 400) return code === undefined ? {} : { body: { code } }
  const role = roleOf(operation)
  if (role === undefined) return isJsonArray(json) ? { length: json.length } : {}
  if (role === 'list') return listBody(take, world)
  const pet = readSeenPet(json)
  if (pet === undefined || !isJsonObject(json)) return {}
  const { name, categoryId } = pet
  const id = role === 'create' ? {} : { id: world.idOf(pet.id, take.index) }
  return { body: { ...id, name, categoryId, status: json.status ?? null } }
}

function listBody({ json, index }: Take, world: PetWorld): Pick<Expectation, 'body' | 'length'> {
  const pets = readSeenPets(json)
  if (pets === undefined) return isJsonArray(json) ? { length: json.length } : {}
  if (pets.length > mostIds) return { length: pets.length }
  const isShort = pets.length <= mostNames
  return { body: pets.map(({ id, name }) => ({ id: world.idOf(id, index), ...(isShort && { name }) })) }
}

/** What several takes that are alike must be: statuses by their count, the rest by the last one. */
function expectationOfAll(alike: readonly Take[], ofLast: Expectation): Expectation {
  const counts: Record<string, number> = {}
  for (const { status } of alike) counts[status] = (counts[status] ?? 0) + 1
  const { status, ...rest } = ofLast
  const statuses = Object.keys(counts).length > 1 ? { statuses: counts } : { status }
  if (status === undefined) return isParallel(alike) ? {} : rest
  return isParallel(alike) ? statuses : { ...statuses, ...rest }
}

function isParallel(alike: readonly Take[]): boolean {
  return alike.length > 1 && alike[0]?.cluster !== undefined
}

const longestCursor = 1_000

/** Finds the parameters that clients take from a link `rel="next"`, so that a walkthrough can do the same. */
function createCursors(takes: readonly Take[]) {
  const offered = new Map<string, { readonly by: Take; readonly parameter: string }>()
  const savedBy = new Map<Take, Record<string, string>>()
  /** A parameter of a next link, and the value that a later call sends. */
  const names = new Map<string, { readonly name: string; readonly parameter: string }>()
  for (const take of takes) {
    for (const { name, value, raw } of readQuery(readTarget(take.target).query)) {
      const place = `${name}=${value}`
      const offer = offered.get(place)
      if (offer === undefined || names.has(raw)) continue
      const cursor = { name: `next${names.size + 1}`, parameter: name }
      names.set(raw, cursor)
      savedBy.set(offer.by, { ...savedBy.get(offer.by), [cursor.name]: `next.${name}` })
    }
    const own = new Set(readQuery(readTarget(take.target).query).map(({ raw }) => raw))
    const next =
      roleOf(take.operation) === 'list' && take.status === 200 ? nextLink(take.answer.link) : undefined
    for (const { name, value = '', raw } of next === undefined ? [] : readQuery(readTarget(next).query)) {
      const isCursor = /^[A-Za-z_][\w.~-]{0,99}$/.test(name) && value !== '' && value.length <= longestCursor
      const place = `${name}=${value}`
      if (isCursor && !own.has(raw) && !offered.has(place)) offered.set(place, { by: take, parameter: name })
    }
  }
  return {
    savedBy: (take: Take): Readonly<Record<string, string>> => savedBy.get(take) ?? {},
    /** A query with references instead of the values of cursors. */
    inQuery: (query: string): string =>
      query
        .split('&')
        .map(raw => {
          const cursor = names.get(raw)
          return cursor === undefined ? raw : `${cursor.parameter}=\${${cursor.name}}`
        })
        .join('&'),
  }
}
