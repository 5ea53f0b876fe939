import { parseInt64 } from '../../base/json/int64.ts'
import { isJsonArray, isJsonObject } from '../../base/json/is-object.ts'
import type { Int64, JsonValue } from '../../base/json/value.ts'
import { decodePercent } from '../../base/percent.ts'
import { nextLink } from '../../service/call/link.ts'
import { readQuery, readTarget } from '../../service/call/target.ts'
import { roleOf } from '../../service/operations/operations.ts'
import { isPetStatus } from '../../service/pets/pet.ts'
import type { Take } from './take.ts'

/** What the answers of a recording say about the store. */
export type PetBook = ReturnType<typeof keepPetBook>

/** Reads the takes in order, and finds what must have been there, and what must have changed. */
export function keepPetBook(takes: readonly Take[]) {
  const ledger = createPetLedger()
  /** Pages after which more pets followed: the last id, and the status of the filter. */
  const continued: { after: string; status: string | undefined }[] = []
  takes.forEach((take, before) => {
    const { status, json } = take
    const role = roleOf(take.operation)
    const pets = role === 'list' && status === 200 ? readSeenPets(json) : undefined
    const last = pets?.at(-1)
    if (pets !== undefined) {
      const part = partOf(take, pets)
      if (part !== undefined) ledger.show(part, pets, before)
      if (last !== undefined && nextLink(take.answer.link) !== undefined)
        continued.push({ after: last.id, status: parameterOf(take, 'status') })
    }
    if (role === 'read' && status === 404 && take.code !== 'endpoint_removed')
      ledger.miss(idInPath(take), before)
    const pet = readSeenPet(json)
    if (role === 'read' && status === 200 && pet !== undefined) ledger.see(pet, before)
    if (role === 'create' && status === 201 && pet !== undefined) ledger.create(pet, before)
  })
  return { ...ledger, continued }
}

export function idInPath({ target }: Take): string {
  const last = readTarget(target).path.split('/').at(-1) ?? ''
  return decodePercent(last) ?? last
}

export function parameterOf({ target }: Take, name: string): string | undefined {
  return readQuery(readTarget(target).query).find(pair => pair.name === name)?.value
}

/** The usual number of pets in a page (specification, "Page size"). */
const usualLimit = 20

/** Of a page, only what lies between its first and its last pet is known; of a first page, also what lies before. */
function partOf(take: Take, pets: readonly SeenPet[]) {
  const isFirst = readQuery(readTarget(take.target).query).every(({ name }) =>
    /^(?:limit|status)$/.test(name),
  )
  if (!isFirst && pets.length === 0) return undefined
  const limit = Number(parameterOf(take, 'limit') ?? usualLimit)
  const isLast = nextLink(take.answer.link) === undefined && pets.length < limit
  return {
    status: parameterOf(take, 'status'),
    from: isFirst ? undefined : numberOf(pets[0]?.id ?? ''),
    to: isLast ? undefined : numberOf(pets.at(-1)?.id ?? ''),
  }
}

/** A change of the store that no recorded call made. It comes before the take with this number. */
export interface PetChange {
  readonly before: number
  readonly what: 'add' | 'change' | 'delete'
  readonly pet: SeenPet
}

/** A part of the store that a list has shown as a whole. */
export type Shown = NonNullable<ReturnType<typeof partOf>>

/** More pets, changes and lists are not followed. */
const most = 5_000

/** Follows the pets of a service by its answers: what was there at the start, and what changed without a recorded call. */
function createPetLedger() {
  const initial = new Map<string, SeenPet>()
  const now = new Map<string, SeenPet>()
  const gone = new Set<string>()
  const added: string[] = []
  /** The name of a pet's id in the walkthrough, and the take that created it. */
  const created = new Map<string, { readonly name: string; readonly by: number }>()
  const changes: PetChange[] = []
  const shown: Shown[] = []

  const change = (made: PetChange) => {
    if (changes.length < most) changes.push(made)
  }
  const see = (pet: SeenPet, before: number): void => {
    const known = now.get(pet.id)
    if (known === undefined && now.size >= most) return
    now.set(pet.id, pet)
    if (known !== undefined) {
      if (!isSamePet(known, pet)) change({ before, what: 'change', pet })
    } else if (gone.has(pet.id) || shown.some(part => holds(part, pet))) {
      added.push(pet.id)
      change({ before, what: 'add', pet })
    } else initial.set(pet.id, pet)
  }
  const miss = (id: string, before: number): void => {
    const pet = now.get(id)
    if (pet !== undefined) change({ before, what: 'delete', pet })
    now.delete(id)
    if (gone.size < most) gone.add(id)
  }
  return {
    /** The pets that were there at the start, as far as the answers show them. */
    initial,
    /** The ids that were given after the start, in order. */
    added,
    created,
    changes,
    see,
    miss,
    create: (pet: SeenPet, by: number): void => {
      if (now.has(pet.id) || now.size >= most) return
      now.set(pet.id, pet)
      added.push(pet.id)
      created.set(pet.id, { name: `pet${created.size + 1}`, by })
    },
    /** A list showed these pets, and no others of this part. */
    show: (part: Shown, pets: readonly SeenPet[], before: number): void => {
      const ids = new Set(pets.map(({ id }) => id))
      for (const pet of now.values()) if (!ids.has(pet.id) && holds(part, pet)) miss(pet.id, before)
      for (const pet of pets) see(pet, before)
      if (shown.length < most) shown.push(part)
    },
  }
}

/** Ids that are no numbers have no order, so nothing is known about them. */
function holds({ status, from, to }: Shown, pet: SeenPet): boolean {
  const id = numberOf(pet.id)
  if (id === undefined || (status !== undefined && status !== pet.status)) return false
  return (from === undefined || id >= from) && (to === undefined || id <= to)
}

/** A pet as an answer had it. Its id may be any text. */
export type SeenPet = NonNullable<ReturnType<typeof readSeenPet>>

export function readSeenPet(value: JsonValue | undefined) {
  if (!isJsonObject(value)) return undefined
  const { id, name, categoryId, status } = value
  const isId = typeof id === 'string' ? id !== '' && id.length <= 200 : isInt64(id)
  if (!isId || typeof name !== 'string' || !isInt64(categoryId)) return undefined
  return { id: `${id}`, name, categoryId, status: isPetStatus(status) ? status : undefined }
}

export function readSeenPets(value: JsonValue | undefined): readonly SeenPet[] | undefined {
  if (!isJsonArray(value)) return undefined
  const pets = value.map(readSeenPet)
  const whole = pets.filter(pet => pet !== undefined)
  return whole.length === pets.length ? whole : undefined
}

function isInt64(value: JsonValue | undefined): value is Int64 {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value))
}

/** The number that a text is, written the usual way. */
export function numberOf(id: string): Int64 | undefined {
  const number = parseInt64(id)
  return number !== undefined && `${number}` === id ? number : undefined
}

export function isSamePet(one: SeenPet, other: SeenPet): boolean {
  return one.name === other.name && one.categoryId === other.categoryId && one.status === other.status
}
