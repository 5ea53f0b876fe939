import { addInt64 } from '../../base/json/int64.ts'
import type { Int64 } from '../../base/json/value.ts'
import type { Pet, PetStatus } from './pet.ts'

/**
 * Pets in memory: of each its distance from the first id, name, category id and status, side by side. Objects would be
 * scattered, and reading a page of them would miss the processor's cache.
 */
export type Slots = (string | Int64 | undefined)[]

export const slotsOfPet = 4

export function countOf(list: Readonly<Slots>): number {
  return list.length / slotsOfPet
}

export function petAt(list: Readonly<Slots>, index: number, firstId: Int64): Pet {
  const slot = index * slotsOfPet
  // Written together, in this order.
  return {
    id: addInt64(firstId, list[slot] as number),
    name: list[slot + 1] as string,
    categoryId: list[slot + 2] as Int64,
    status: list[slot + 3] as PetStatus | undefined,
  }
}

/** NaN where there is no pet. */
export function distanceAt(list: Readonly<Slots>, index: number): number {
  const distance = list[index * slotsOfPet]
  return typeof distance === 'number' ? distance : Number.NaN
}
