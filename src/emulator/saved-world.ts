import type { Key } from '../keys/key.ts'
import type { Windows } from '../limits/limiter.ts'
import type { PetStatus } from '../pets/pet.ts'
import type { SavedRules } from '../rules/rule-book.ts'
import type { Clock } from '../time/clock.ts'

/** An int64 that any JSON client can carry: a string beyond 2^53. A reader that is exact may make a bigint of it. */
export type SavedInt64 = number | string | bigint

export interface SavedPet {
  readonly id: SavedInt64
  readonly name: string
  readonly categoryId: SavedInt64
  readonly status?: PetStatus
}

/** A world as a plain value: JSON carries it without loss, and a world that it is put back into goes on from there. */
export interface WorldSnapshot {
  readonly version: 1
  readonly scenario: string
  readonly clock: Clock
  readonly pets: {
    readonly firstId: SavedInt64
    readonly nextId: SavedInt64
    readonly list: readonly SavedPet[]
  }
  readonly keys: readonly Key[]
  readonly anonymous: readonly { readonly client: string; readonly windows: Windows }[]
  readonly rules: SavedRules
  readonly nextExchange: number
}
