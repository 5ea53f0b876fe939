import type { PlanePet } from '../../../generated/plane-operations.ts'

export const petStatuses = ['available', 'pending', 'sold'] as const

export function fieldsOf(pet: PlanePet | undefined) {
  const status: string = pet?.status ?? ''
  return { name: pet?.name ?? '', categoryId: `${pet?.categoryId ?? 1}`, status }
}

/** The body for the plane. An id of 64 bits is sent as text, so that it stays exact. */
export function bodyOf({ name, categoryId, status }: ReturnType<typeof fieldsOf>) {
  return { name, categoryId, status: petStatuses.find(one => one === status) ?? null }
}
