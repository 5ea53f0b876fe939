/** The bytes of a body that goes by, kept for the verdict, or only counted where they are too many. */
export interface Capture {
  readonly add: (chunk: Uint8Array) => void
  /** What was kept; undefined when it was too much. */
  readonly take: () => Uint8Array | undefined
  /** All bytes that went by. */
  readonly size: () => number
  /** Gives its room back. */
  readonly release: () => void
}

export interface CaptureLimits {
  /** Bytes of one body. */
  readonly most: number
  /** Bytes of all bodies at once. */
  readonly mostInAll: number
}

/** Keeps bodies that go by, within limits: what is beyond them is passed on all the same. */
export function createCaptures({ most, mostInAll }: CaptureLimits): () => Capture {
  let inAll = 0
  return () => {
    let chunks: Uint8Array[] = []
    let size = 0
    let kept = 0
    let isTooMuch = false
    const release = () => {
      inAll -= kept
      kept = 0
      chunks = []
    }
    return {
      add: chunk => {
        size += chunk.length
        if (isTooMuch) return
        if (size > most || inAll + chunk.length > mostInAll) {
          isTooMuch = true
          release()
          return
        }
        chunks.push(chunk)
        kept += chunk.length
        inAll += chunk.length
      },
      take: () => (isTooMuch ? undefined : Buffer.concat(chunks)),
      size: () => size,
      release,
    }
  }
}
