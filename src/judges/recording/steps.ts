import type { JsonValue } from '../../base/json/value.ts'
import { formatDuration } from '../../base/time/duration.ts'
import type { CallStep, Step } from '../../control/scenario/file.ts'
import { readTarget } from '../../service/call/target.ts'
import { type Cursors, createCursors } from './cursors.ts'
import { expectationOf, expectationOfAll, isOwnRefusal, isParallel } from './expectation.ts'
import { idInPath, type PetBook } from './pet-book.ts'
import type { PetChange } from './pet-ledger.ts'
import type { PetWorld } from './pet-world.ts'
import { readRate } from './rate-reading.ts'
import { malformedKey } from './seen-credential.ts'
import { readSeenPet } from './seen-pets.ts'
import type { Take } from './take.ts'

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
  return (
    one.method === other.method &&
    one.target === other.target &&
    one.key === other.key &&
    one.operation !== 'createPet' &&
    one.cluster === other.cluster &&
    JSON.stringify(one.headers) === JSON.stringify(other.headers) &&
    (one.status !== other.status || one.status >= 400 || isSameBody(one.json, other.json))
  )
}

function isSameBody(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  const text = (value: JsonValue | undefined) =>
    JSON.stringify(value, (_name, inner) => (typeof inner === 'bigint' ? `${inner}n` : inner))
  return text(one) === text(other)
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
    const created = last.operation === 'createPet' ? readSeenPet(last.json)?.id : undefined
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

function targetOf(take: Take, world: PetWorld, cursors: Cursors): string {
  const { path, query } = readTarget(take.target)
  const written = query === '' ? '' : `?${cursors.inQuery(query)}`
  if (take.operation !== 'getPet') return path + written
  const id = idInPath(take)
  const own = world.idOf(id, take.index)
  const shown = own === id || `${own}` === id ? path.split('/').at(-1) : `${own}`
  return `/v1/pets/${shown}${written}`
}

const unknownNote = 'The API has no such operation. The call still counts.'
