import { getBuiltinModule } from 'node:process'

/**
 * Bytes of heap that are left. Collects garbage if these seem to be fewer than wanted. Loads V8's statistics and the inspector
 * only when it needs them: pet-mock should start fast.
 */
export function freeHeap(wanted: number): number {
  const free = measure()
  if (free >= wanted) return free
  collectGarbage()
  return measure()
}

function measure(): number {
  const { heap_size_limit: limit, used_heap_size: used } = getBuiltinModule('node:v8').getHeapStatistics()
  return Math.max(0, limit - used)
}

function collectGarbage(): void {
  const { Session } = getBuiltinModule('node:inspector')
  const session = new Session()
  session.connect()
  session.post('HeapProfiler.collectGarbage')
  session.disconnect()
}
