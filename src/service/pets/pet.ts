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
