/** Keeps a copy of a body that passes, or only its size if it is too large. */
export interface Capture {
  readonly add: (chunk: Uint8Array) => void
  /** The whole body; undefined if it was too large. */
  readonly take: () => Uint8Array | undefined
  /** Bytes that passed. */
  readonly size: () => number
  /** Frees the memory. */
  readonly release: () => void
}

export interface CaptureLimits {
  /** Bytes of one body. */
  readonly most: number
  /** Bytes of all bodies at once. */
  readonly mostInAll: number
}

export function createCaptures({ most, mostInAll }: CaptureLimits): () => Capture {
  let inAll = 0
  return () => {
    let chunks: Uint8Array[] = []
    let size = 0
    let kept = 0
    let isTooLarge = false
    const release = () => {
      inAll -= kept
      kept = 0
      chunks = []
    }
    return {
      add: chunk => {
        size += chunk.length
        if (isTooLarge) return
        if (size > most || inAll + chunk.length > mostInAll) {
          isTooLarge = true
          release()
          return
        }
        chunks.push(chunk)
        kept += chunk.length
        inAll += chunk.length
      },
      take: () => (isTooLarge ? undefined : Buffer.concat(chunks)),
      size: () => size,
      release,
    }
  }
}
