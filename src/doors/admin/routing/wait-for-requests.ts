import { readClock } from '../../../base/time/clock.ts'
import type { Emulator } from '../../../emulator/emulator.ts'
import { defaultSandbox } from '../../../emulator/worlds/sandboxes.ts'
import { compileFilter, type Filter } from '../../../judges/inspection/filter.ts'
import type { Waiting } from './route-context.ts'

/**
 * Resolves once `count` matching requests exist, earlier ones included, or on timeout, when the client leaves or when
 * the door closes. Requests still count if the journal drops them or is reset during the wait. The sandbox `*` means any,
 * including sandboxes created later.
 */
export function waitForRequests(
  { sandboxes, observe }: Pick<Emulator, 'sandboxes' | 'observe'>,
  {
    sandbox = defaultSandbox,
    filter,
    count,
    timeoutMs,
  }: {
    readonly sandbox: string | undefined
    readonly filter: Filter
    readonly count: number
    readonly timeoutMs: number
  },
  now: number,
  { signal, after }: Waiting,
): Promise<{ readonly reached: boolean; readonly count: number }> {
  const matches = compileFilter(filter, name => {
    const world = sandboxes.get(name)
    return world === undefined ? now : readClock(world.clock, now)
  })
  let found = 0
  for (const world of sandboxes) {
    if (sandbox === '*' || world.sandbox === sandbox) found += [...world.journal].filter(matches).length
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
      if ((sandbox !== '*' && exchange.sandbox !== sandbox) || !matches(exchange)) return
      found += 1
      if (found >= count) end()
    })
    const stopTimer = after(timeoutMs, end)
    signal.addEventListener('abort', end)
  })
}
