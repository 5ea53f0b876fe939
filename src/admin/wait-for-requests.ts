import type { Emulator } from '../emulator/emulator.ts'
import type { Filter } from '../inspection/filter.ts'
import { filterIn, findRequests, type Places } from '../inspection/requests.ts'
import type { Waiting } from './waiting.ts'

interface WaitOptions {
  readonly emulator: Pick<Emulator, 'observe'>
  readonly places: Places
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
 * Those that were there already count; those that the journal lets go meanwhile still do.
 */
export function waitForRequests(
  { emulator, places, filter, count, timeoutMs }: WaitOptions,
  { signal, after }: Waiting,
): Promise<Waited> {
  let found = findRequests(places, filter).total
  if (found >= count || signal.aborted) return Promise.resolve({ reached: found >= count, count: found })
  return new Promise(resolve => {
    const sandboxes = new Set(places.worlds.map(({ sandbox }) => sandbox))
    const fits = filterIn(places, filter)
    const end = () => {
      stopObserving()
      stopTimer()
      signal.removeEventListener('abort', end)
      resolve({ reached: found >= count, count: found })
    }
    const stopObserving = emulator.observe(exchange => {
      if (!sandboxes.has(exchange.sandbox) || !fits(exchange)) return
      found += 1
      if (found >= count) end()
    })
    const stopTimer = after(timeoutMs, end)
    signal.addEventListener('abort', end)
  })
}
