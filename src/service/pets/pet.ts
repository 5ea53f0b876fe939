import type { Int64 } from '../../base/json/value.ts'

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
}

export interface Pet extends NewPet {
  readonly id: Int64
}

/** Whether two pets with the same id are equal. */
export function isSamePet(one: Pet, other: Pet | undefined): boolean {
  return one.name === other?.name && one.categoryId === other.categoryId && one.status === other.status
}

/** A pet as JSON. JSON.stringify cannot write an int64 beyond 2^53. */
export function petText(pet: Pet): string {
  const status = pet.status === undefined ? '' : `,"status":"${pet.status}"`
  return `{"id":${pet.id},"name":${JSON.stringify(pet.name)},"categoryId":${pet.categoryId}${status}}`
}
