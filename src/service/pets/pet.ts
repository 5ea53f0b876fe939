import { isJsonObject } from '../../base/json/is-object.ts'
import { jsonIn } from '../../base/json/read.ts'
import type { Int64, JsonObject } from '../../base/json/value.ts'

export const petStatuses = ['available', 'pending', 'sold'] as const
export type PetStatus = (typeof petStatuses)[number]

export function isPetStatus(text: unknown): text is PetStatus {
  return (petStatuses as readonly unknown[]).includes(text)
}

/** Specification, "NewPet". A missing status stays missing (A14). */
export interface NewPet {
  readonly name: string
  readonly categoryId: Int64
  readonly status: PetStatus | undefined
  /** JSON of an object with the members that the specification does not name, without white space. Absent if there are none. */
  readonly extra?: string
}

export interface Pet extends NewPet {
  readonly id: Int64
}

/** Whether two pets with the same id are equal. */
export function isSamePet(one: Pet, other: Pet | undefined): boolean {
  if (one.name !== other?.name || one.categoryId !== other.categoryId) return false
  return one.status === other.status && one.extra === other.extra
}

/** Undefined if the text is not a JSON object. */
export function readExtra(extra: string): JsonObject | undefined {
  const value = jsonIn(extra)
  return isJsonObject(value) ? value : undefined
}

/** A pet as JSON. JSON.stringify cannot write an int64 beyond 2^53. */
export function petText(pet: Pet): string {
  const status = pet.status === undefined ? '' : `,"status":"${pet.status}"`
  const extra = pet.extra === undefined ? '}' : `,${pet.extra.slice(1)}`
  return `{"id":${pet.id},"name":${JSON.stringify(pet.name)},"categoryId":${pet.categoryId}${status}${extra}`
}
