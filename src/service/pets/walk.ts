import type { Int64 } from '../../base/json/value.ts'
import type { Chunks } from './chunks.ts'
import { isSamePet, type Pet } from './pet.ts'
import { countOf, distanceAt, petAt, type Slots } from './slots.ts'

type PetChunks = Chunks<Slots[number]>

/** From pet to pet, or past a whole chunk. */
class Walk {
  readonly #chunks: PetChunks
  #number = 0
  #index = 0

  constructor(chunks: PetChunks) {
    this.#chunks = chunks
  }

  /** The chunk that begins here. */
  get fresh(): Readonly<Slots> | undefined {
    return this.#index === 0 ? this.#chunks.read(this.#number) : undefined
  }

  /** Of the pet that is next; Infinity behind the last one. */
  get distance(): number {
    const chunk = this.#chunks.read(this.#number)
    return chunk === undefined ? Number.POSITIVE_INFINITY : distanceAt(chunk, this.#index)
  }

  /** The next pet, if it is at this distance: then it is behind. */
  take(distance: number, firstId: Int64): Pet | undefined {
    const chunk = this.#chunks.read(this.#number)
    if (chunk === undefined || this.distance !== distance) return undefined
    const pet = petAt(chunk, this.#index, firstId)
    this.#index += 1
    if (this.#index === countOf(chunk)) this.skipChunk()
    return pet
  }

  skipChunk(): void {
    this.#number += 1
    this.#index = 0
  }
}

/**
 * Each distance at which one list of pets has another pet than a base, or none (undefined), ascending. Chunks that both
 * share are passed over.
 */
export function* differences(
  chunks: PetChunks,
  base: PetChunks,
  firstId: Int64,
): Generator<{ readonly distance: number; readonly pet: Pet | undefined }> {
  const [walk, baseWalk] = [new Walk(chunks), new Walk(base)]
  for (;;) {
    const { fresh } = walk
    if (fresh !== undefined && fresh === baseWalk.fresh) {
      walk.skipChunk()
      baseWalk.skipChunk()
      continue
    }
    const distance = Math.min(walk.distance, baseWalk.distance)
    if (distance === Number.POSITIVE_INFINITY) return
    const pet = walk.take(distance, firstId)
    if (!isSamePet(pet, baseWalk.take(distance, firstId))) yield { distance, pet }
  }
}
