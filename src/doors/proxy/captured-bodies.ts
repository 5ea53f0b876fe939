import { createBodyBudget } from '../server/bodies.ts'

export interface CapturedBody {
  /** Undefined if the body was too large to keep. */
  readonly bytes: Uint8Array | undefined
  readonly size: number
}

/**
 * Makes what keeps a copy of a body that passes, or only its size if it is too large. `most`: bytes of one body; `mostInAll`: of all
 * bodies at once.
 */
export function createCaptures(most: number, mostInAll: number) {
  const share = createBodyBudget(mostInAll, 0)
  return () => {
    const { takes, release } = share()
    let chunks: Uint8Array[] = []
    let size = 0
    let isTooLarge = false
    const drop = () => {
      release()
      chunks = []
    }
    return {
      add: (chunk: Uint8Array): void => {
        size += chunk.length
        if (isTooLarge) return
        isTooLarge = size > most || !takes(size)
        if (isTooLarge) drop()
        else chunks.push(chunk)
      },
      size: () => size,
      /** Returns the body, and frees the memory. */
      take: (): CapturedBody => {
        const bytes = isTooLarge ? undefined : Buffer.concat(chunks)
        drop()
        return { bytes, size }
      },
    }
  }
}
