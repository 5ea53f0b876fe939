import { getBuiltinModule } from 'node:process'
import { getHeapStatistics } from 'node:v8'

/** Bytes of heap that are left. Collects garbage if these seem to be fewer than wanted. */
export function freeHeap(wanted: number): number {
  const free = measure()
  if (free >= wanted) return free
  collectGarbage()
  return measure()
}

function measure(): number {
  const { heap_size_limit: limit, used_heap_size: used } = getHeapStatistics()
  return Math.max(0, limit - used)
}

/** Loads the inspector only when it is needed: pet-mock should start fast. */
function collectGarbage(): void {
  const { Session } = getBuiltinModule('node:inspector')
  const session = new Session()
  session.connect()
  session.post('HeapProfiler.collectGarbage')
  session.disconnect()
}
