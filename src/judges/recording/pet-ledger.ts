import type { Int64 } from '../../base/json/value.ts'
import { isSamePet, numberOf, type SeenPet } from './seen-pets.ts'

/** A change of the store that no recorded call made. It comes before the take with this number. */
export interface PetChange {
  readonly before: number
  readonly what: 'add' | 'change' | 'delete'
  readonly pet: SeenPet
}

/** The name of a pet's id in the walkthrough, and the take that created it. */
export interface CreatedPet {
  readonly name: string
  readonly by: number
}

/** A part of the store that a list has shown as a whole. */
export interface Shown {
  readonly status: string | undefined
  readonly from: Int64 | undefined
  readonly to: Int64 | undefined
}

/** More pets, changes and lists are not followed. */
const most = 5_000

/** Follows the pets of a service by its answers: what was there at the start, and what changed without a recorded call. */
export function createPetLedger() {
  const initial = new Map<string, SeenPet>()
  const now = new Map<string, SeenPet>()
  const gone = new Set<string>()
  const added: string[] = []
  const created = new Map<string, CreatedPet>()
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
    initial,
    /** The ids that were given after the start, in order. */
    added,
    /** Pets that recorded calls created, by id. */
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
