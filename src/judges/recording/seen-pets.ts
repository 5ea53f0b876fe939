import { parseInt64 } from '../../base/json/int64.ts'
import { isJsonArray, isJsonObject } from '../../base/json/is-object.ts'
import type { Int64, JsonValue } from '../../base/json/value.ts'
import { isPetStatus, type PetStatus } from '../../service/pets/pet.ts'

/** A pet as an answer had it. Its id may be any text. */
export interface SeenPet {
  readonly id: string
  readonly name: string
  readonly categoryId: Int64
  readonly status: PetStatus | undefined
}

export function readSeenPet(value: JsonValue | undefined): SeenPet | undefined {
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
