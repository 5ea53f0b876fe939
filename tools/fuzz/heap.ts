import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export interface Sample {
  readonly inputs: number
  readonly heap: number
}

/** Bytes that a heap may grow by after its warm-up. A million inputs that leak 32 bytes each grow by 32 MB. */
export const mostGrowth = 4_000_000
/** The share of a run that fills caches and compiles code. */
const warmUp = 1 / 3
/** Samples of which the median counts, at both ends. */
const atEnds = 3

interface Growth {
  readonly bytes: number
  readonly inputs: number
  readonly perInput: number
}

/** How much a heap grew from the end of its warm-up to the end. Undefined for too few samples. */
export function growthOf(samples: readonly Sample[]): Growth | undefined {
  const warm = samples.slice(Math.floor(samples.length * warmUp))
  if (warm.length < 2 * atEnds) return undefined
  const [from, to] = [medianOf(warm.slice(0, atEnds)), medianOf(warm.slice(-atEnds))]
  const bytes = to.heap - from.heap
  const inputs = to.inputs - from.inputs
  return { bytes, inputs, perInput: bytes / inputs }
}

function medianOf(samples: readonly Sample[]): Sample {
  const middle = Math.floor(samples.length / 2)
  const heaps = samples.map(({ heap }) => heap).sort((one, other) => one - other)
  return { inputs: samples[middle]?.inputs ?? 0, heap: heaps[middle] ?? 0 }
}

/** Bytes of heap that this process holds after a garbage collection. */
export async function ownHeap(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  // What the first round releases may hold other things in finalizers.
  collect()
  await new Promise(resolve => setImmediate(resolve))
  collect()
  return process.memoryUsage().heapUsed
}
