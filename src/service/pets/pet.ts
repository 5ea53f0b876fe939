import type { Int64 } from '../../base/json/value.ts'

export const petStatuses = ['available', 'pending', 'sold'] as const
export type PetStatus = (typeof petStatuses)[number]

export function isPetStatus(text: unknown): text is PetStatus {
  return (petStatuses as readonly unknown[]).includes(text)
}

/** Specification, "NewPet". A status that was not given stays missing (A14). */
export interface NewPet {
  readonly name: string
  readonly categoryId: Int64
  readonly status: PetStatus | undefined
}

export interface Pet extends NewPet {
  readonly id: Int64
}

/** Of two pets with one id, or none: whether they are equal in all else. */
export function isSamePet(one: Pet | undefined, other: Pet | undefined): boolean {
  if (one === other) return true
  return (
    one !== undefined &&
    other !== undefined &&
    one.name === other.name &&
    one.categoryId === other.categoryId &&
    one.status === other.status
  )
}
