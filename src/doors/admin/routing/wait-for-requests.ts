import { readClock } from '../../../base/time/clock.ts'
import type { Emulator } from '../../../emulator/emulator.ts'
import { defaultSandbox } from '../../../emulator/worlds/sandboxes.ts'
import { compileFilter, type Filter } from '../../../judges/inspection/filter.ts'
import type { Waiting } from './waiting.ts'

interface Wanted {
  /** `*`: any, also those that are made meanwhile. Default: the default one. */
  readonly sandbox: string | undefined
  readonly filter: Filter
  readonly count: number
  readonly timeoutMs: number
}

export interface Waited {
  readonly reached: boolean
  readonly count: number
}

/**
 * Resolves when as many requests fit as are waited for, or when time is up, the client is gone or the door closes.
 * Those that were there already count; those that the journal lets go meanwhile still do, by a reset as well.
 */
export function waitForRequests(
  { sandboxes, observe }: Pick<Emulator, 'sandboxes' | 'observe'>,
  { sandbox = defaultSandbox, filter, count, timeoutMs }: Wanted,
  now: number,
  { signal, after }: Waiting,
): Promise<Waited> {
  const fits = compileFilter(filter, name => {
    const world = sandboxes.get(name)
    return world === undefined ? now : readClock(world.clock, now)
  })
  let found = 0
  for (const world of sandboxes) {
    if (sandbox === '*' || world.sandbox === sandbox) found += [...world.journal].filter(fits).length
  }
  if (found >= count || signal.aborted) return Promise.resolve({ reached: found >= count, count: found })
  return new Promise(resolve => {
    const end = () => {
      stopObserving()
      stopTimer()
      signal.removeEventListener('abort', end)
      resolve({ reached: found >= count, count: found })
    }
    const stopObserving = observe(exchange => {
      if ((sandbox !== '*' && exchange.sandbox !== sandbox) || !fits(exchange)) return
      found += 1
      if (found >= count) end()
    })
    const stopTimer = after(timeoutMs, end)
    signal.addEventListener('abort', end)
  })
}
