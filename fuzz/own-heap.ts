import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

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
