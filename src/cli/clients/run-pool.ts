import { availableParallelism, cpus, freemem, totalmem } from 'node:os'

/** How many more runs may start, while as many are under way. */
export type Room = (running: number) => number

/** How often to look for room, in milliseconds: long enough that a started run shows in the load of the machine. */
const lookMs = 200

/**
 * Runs tasks in this order, as many at once as there is room. Begins none once `stop` aborts or a task failed. Rejects with
 * the first failure after the tasks under way.
 */
export function runPool(tasks: readonly (() => Promise<void>)[], room: Room, stop: AbortSignal) {
  let next = 0
  let running = 0
  let failure: { readonly error: unknown } | undefined
  return new Promise<void>((resolve, reject) => {
    const look = () => {
      if (stop.aborted || failure !== undefined) next = tasks.length
      const starting = next < tasks.length ? tasks.slice(next, next + room(running)) : []
      next += starting.length
      running += starting.length
      for (const task of starting)
        task()
          .catch(error => {
            failure ??= { error }
          })
          .finally(() => {
            running -= 1
            look()
          })
      if (running > 0 || next < tasks.length) return
      clearInterval(timer)
      if (failure === undefined) resolve()
      else reject(failure.error)
    }
    const timer = setInterval(look, lookMs)
    look()
  })
}

/** Times of cores have steps of 10 ms. */
const shortestLookMs = 100
/** A run mostly waits. Of more runs, too many would wake up at once, and get late replies. */
const mostPerCore = 4
/** Since runs mostly wait, two disturb each other little, even on a busy machine. */
const leastAtOnce = 2
/** Programs that just started will need memory that they do not have yet. */
const leastFreeMemory = 0.2
/** Part of the time. Above, replies come late: a fast client would look slow. */
const mostOwnBusy = 0.5

/** Room for one more run on each core that was idle since the last look. `cores`: those that pet-mock may use. */
export function createMachineRoom(read: () => Load = readLoad, cores = availableParallelism()): Room {
  let before = read()
  return running => {
    const now = read()
    const passedMs = now.at - before.at
    const least = Math.max(0, leastAtOnce - running)
    if (passedMs < shortestLookMs) return least
    const ofCores = now.totalMs - before.totalMs
    // Some systems do not say what their cores do.
    const idle = ofCores > 0 ? ((now.idleMs - before.idleMs) / ofCores) * cores : cores - running
    const isBusy = (now.ownMs - before.ownMs) / passedMs > mostOwnBusy
    before = now
    if (isBusy || now.freeMemory < leastFreeMemory) return least
    return Math.max(least, Math.min(Math.round(idle), mostPerCore * cores - running))
  }
}

export type Load = ReturnType<typeof readLoad>

/** What the machine, all cores together, and pet-mock did so far. Times are in milliseconds; `freeMemory` is a part of all. */
function readLoad() {
  const times = cpus().map(core => Object.entries(core.times))
  const sum = (of: (name: string) => boolean) =>
    times.flat().reduce((all, [name, ms]) => all + (of(name) ? ms : 0), 0)
  return {
    at: performance.now(),
    idleMs: sum(name => name === 'idle'),
    totalMs: sum(() => true),
    // How long pet-mock's own thread was busy, which answers all clients.
    ownMs: performance.eventLoopUtilization().active,
    freeMemory: freemem() / totalmem(),
  }
}
