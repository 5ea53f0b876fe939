import { nextLink } from '../../service/call/link.ts'
import { readQuery } from '../../service/call/query.ts'
import { readTarget } from '../../service/call/target.ts'
import { type CreatedPet, createPetLedger, type PetChange, type Shown } from './pet-ledger.ts'
import { numberOf, readSeenPet, readSeenPets, type SeenPet } from './seen-pets.ts'
import type { Take } from './take.ts'

/** What the answers of a recording say about the store. */
export interface PetBook {
  /** The pets that were there at the start, as far as the answers show them. */
  readonly initial: ReadonlyMap<string, SeenPet>
  readonly added: readonly string[]
  readonly created: ReadonlyMap<string, CreatedPet>
  readonly changes: readonly PetChange[]
  /** Pages after which more pets followed: the last id, and the status of the filter. */
  readonly continued: readonly { readonly after: string; readonly status: string | undefined }[]
}

/** Reads the takes in order, and finds what must have been there, and what must have changed. */
export function keepPetBook(takes: readonly Take[]): PetBook {
  const ledger = createPetLedger()
  const continued: { after: string; status: string | undefined }[] = []
  takes.forEach((take, before) => {
    const { operation, status, json } = take
    const pets = operation === 'listPets' && status === 200 ? readSeenPets(json) : undefined
    const last = pets?.at(-1)
    if (pets !== undefined) {
      const part = partOf(take, pets)
      if (part !== undefined) ledger.show(part, pets, before)
      if (last !== undefined && nextLink(take.answer.link) !== undefined)
        continued.push({ after: last.id, status: parameterOf(take, 'status') })
    }
    if (operation === 'getPet' && status === 404 && take.code !== 'endpoint_removed')
      ledger.miss(idInPath(take), before)
    const pet = readSeenPet(json)
    if (operation === 'getPet' && status === 200 && pet !== undefined) ledger.see(pet, before)
    if (operation === 'createPet' && status === 201 && pet !== undefined) ledger.create(pet, before)
  })
  return { ...ledger, continued }
}

export function idInPath({ target }: Take): string {
  const last = readTarget(target).path.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

export function parameterOf({ target }: Take, name: string): string | undefined {
  return readQuery(readTarget(target).query).find(pair => pair.name === name)?.value
}

/** The usual number of pets in a page (specification, "Page size"). */
const usualLimit = 20

/** Of a page, only what lies between its first and its last pet is known; of a first page, also what lies before. */
function partOf(take: Take, pets: readonly SeenPet[]): Shown | undefined {
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
