import type { PlanePet } from '../../../generated/plane-operations.ts'

export const petStatuses = ['available', 'pending', 'sold'] as const

interface PetFields {
  readonly name: string
  readonly categoryId: string
  readonly status: string
}

export function fieldsOf(pet: PlanePet | undefined): PetFields {
  return { name: pet?.name ?? '', categoryId: `${pet?.categoryId ?? 1}`, status: pet?.status ?? '' }
}

/** The body for the plane. An id of 64 bits is sent as text, so that it stays exact. */
export function bodyOf({ name, categoryId, status }: PetFields) {
  return { name, categoryId, status: petStatuses.find(one => one === status) ?? null }
}
