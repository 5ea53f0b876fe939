/*
 * `node --import heap-reporter.js PROGRAM`, with a channel to its parent: answers `allocated` with the bytes that V8's
 * heap has given out so far, and `held` with the bytes that are left when all garbage is gone, buffers included.
 */
import { GCProfiler, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let profiler = startProfiler()
let total = 0
let last = process.memoryUsage().heapUsed

function startProfiler(): GCProfiler {
  const started = new GCProfiler()
  started.start()
  return started
}

/** What each collection found, less what the one before it had left. */
function allocated(): number {
  for (const { beforeGC, afterGC } of profiler.stop()?.statistics ?? []) {
    total += beforeGC.heapStatistics.usedHeapSize - last
    last = afterGC.heapStatistics.usedHeapSize
  }
  profiler = startProfiler()
  const now = process.memoryUsage().heapUsed
  total += now - last
  last = now
  return total
}

function held(): number {
  setFlagsFromString('--expose-gc')
  const gc: () => void = runInNewContext('gc')
  gc()
  gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

process.on('message', question => process.send?.(question === 'held' ? held() : allocated()))
// The program ends when it has nothing else to do.
process.channel?.unref()
