import { addInt64 } from '../../base/json/int64.ts'
import type { Int64, JsonValue } from '../../base/json/value.ts'
import { shippedFixtures } from '../../control/fixtures/fixtures.ts'
import type { Command, ScenarioFile } from '../../control/scenario/file.ts'
import { settlePets } from '../../control/scenario/settle/settle.ts'
import { isPetStatus, type PetStatus } from '../../service/pets/pet.ts'
import { numberOf, type PetBook, type PetChange, type SeenPet } from './pet-book.ts'

/** The store of the recorded scenario, and what its pets are called there. */
export type PetWorld = ReturnType<typeof worldOf>

/** The usual store, if all pets of the start are in it. */
export function usualWorld(book: PetBook): PetWorld | undefined {
  const store = settlePets({}, 1, shippedFixtures)
  for (const pet of book.initial.values()) {
    const own = store.get(numberOf(pet.id) ?? 0)
    if (own?.name !== pet.name || own.categoryId !== pet.categoryId || own.status !== pet.status)
      return undefined
  }
  return worldOf(book, undefined, numberOf, store.nextId, false)
}

/** Ids between known ones that a store may have without a pet. More gaps make the ids new. */
const mostGaps = 100

export function seenWorld(book: PetBook): PetWorld {
  const known = [...book.initial.values()]
  const numbers = known.map(({ id }) => numberOf(id)).filter(id => id !== undefined)
  const sorted = numbers.toSorted((one, other) => (one < other ? -1 : 1))
  const first = sorted[0] ?? 1
  const span = BigInt(sorted.at(-1) ?? 0) - BigInt(first) + 1n
  const keepsIds = numbers.length === known.length && first > 0 && span - BigInt(known.length) <= mostGaps
  const inOrder = known.toSorted((one, other) => compare(one.id, other.id))
  // Undefined where an id has no pet.
  const places: (SeenPet | undefined)[] = keepsIds
    ? Array(Math.max(0, Number(span))).fill(undefined)
    : inOrder
  if (keepsIds)
    for (const pet of inOrder) places[Number(BigInt(numberOf(pet.id) ?? first) - BigInt(first))] = pet
  const filled = [...places, ...fillersFor(book)]
  const firstId = keepsIds ? first : 1
  const ids = new Map(
    places.flatMap((pet, index) => (pet === undefined ? [] : [[pet.id, addInt64(firstId, index)] as const])),
  )
  const gone = places.flatMap((pet, index) => (pet === undefined ? [addInt64(firstId, index)] : []))
  const pets = {
    count: 0,
    ...(firstId !== 1 && { firstId }),
    ...(gone.length > 0 && { gone }),
    add: filled.map(pet => entryOf(pet ?? unknownPet)),
  }
  return worldOf(book, pets, id => ids.get(id), addInt64(firstId, filled.length), !keepsIds)
}

/** Beyond all new ids. */
const farAway = 1_000_000

const unknownPet: Omit<SeenPet, 'id'> = { name: 'unknown', categoryId: 1, status: undefined }

function entryOf({ name, categoryId, status }: Omit<SeenPet, 'id'>) {
  return { name, categoryId, ...(status !== undefined && { status }) }
}

/** Numbers in their order, after them other ids in the order in which they were seen. */
function compare(one: string, other: string): number {
  const [a, b] = [numberOf(one), numberOf(other)]
  if (a === undefined || b === undefined) return (a === undefined ? 1 : 0) - (b === undefined ? 1 : 0)
  return a < b ? -1 : a > b ? 1 : 0
}

/** Pets that nobody has seen, for pages after which more pets followed. */
function fillersFor({ initial, continued }: PetBook): readonly Omit<SeenPet, 'id'>[] {
  const missing = new Set<PetStatus | undefined>()
  for (const { after, status } of continued) {
    const follows = [...initial.values()].some(
      pet => compare(after, pet.id) < 0 && (status === undefined || status === pet.status),
    )
    if (!follows) missing.add(isPetStatus(status) ? status : undefined)
  }
  return Array.from(missing, status => ({ ...unknownPet, status }))
}

function worldOf(
  { added, created }: PetBook,
  pets: ScenarioFile['pets'],
  initialId: (id: string) => Int64 | undefined,
  nextId: Int64,
  isRenumbered: boolean,
) {
  const order = new Map(added.map((id, index) => [id, addInt64(nextId, index)]))
  const numberIn = (id: string) => order.get(id) ?? initialId(id) ?? unusedId(numberOf(id))
  // An id of the service that no pet has must not be the new id of another.
  const unusedId = (id: Int64 | undefined) =>
    isRenumbered && id !== undefined && id < farAway ? addInt64(id, farAway) : id
  return {
    /** Undefined: the usual store. */
    pets,
    /** Whether ids of the service became others. */
    isRenumbered,
    /** The id in a take: a number, a reference to a value that is saved by then, or an id that no pet has. */
    idOf: (id: string, take: number): JsonValue => {
      const pet = created.get(id)
      return pet === undefined || pet.by > take ? (numberIn(id) ?? id) : `\${${pet.name}}`
    },
    commandOf: ({ what, pet }: PetChange): Command => {
      if (what === 'add') return { do: 'addPet', ...entryOf(pet) }
      const id = numberIn(pet.id) ?? 0
      if (what === 'delete') return { do: 'deletePet', id }
      return { do: 'changePet', id, ...entryOf(pet), status: pet.status ?? null }
    },
  }
}
