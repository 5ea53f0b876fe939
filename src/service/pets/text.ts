import type { Pet } from './pet.ts'

/** A pet as JSON. JSON.stringify cannot write an int64 beyond 2^53. */
export function petText(pet: Pet): string {
  const status = pet.status === undefined ? '' : `,"status":"${pet.status}"`
  return `{"id":${pet.id},"name":${JSON.stringify(pet.name)},"categoryId":${pet.categoryId}${status}}`
}
