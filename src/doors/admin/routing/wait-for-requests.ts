import { readClock } from '../../../base/time/clock.ts'
import type { Emulator } from '../../../emulator/emulator.ts'
import { compileFilter, type Filter } from '../../../judges/inspection/filter.ts'
import { findIn } from '../../../judges/inspection/requests.ts'
import type { Waiting } from './read-body.ts'
import { finishInTurns } from './turns.ts'

/**
 * Resolves once `count` matching requests exist, earlier ones included, or on timeout, when the client leaves or when
 * the door closes. Requests still count if the journal drops them or is reset during the wait. The sandbox `*` means any,
 * including sandboxes created later.
 */
export async function waitForRequests(
  { sandboxes, observe }: Pick<Emulator, 'sandboxes' | 'observe'>,
  sandbox: string,
  filter: Filter,
  count: number,
  timeoutMs: number,
  now: number,
  waiting: Waiting,
): Promise<{ readonly reached: boolean; readonly count: number }> {
  const matches = compileFilter(filter, name => {
    const world = sandboxes.get(name)
    return world === undefined ? now : readClock(world.clock, now)
  })
  const isWanted = (name: string) => sandbox === '*' || name === sandbox
  let later = 0
  let isOver = false
  let onFound = () => {}
  // Counting the earlier ones takes several turns: listen before that.
  const stopObserving = observe(exchange => {
    if (isOver || !isWanted(exchange.sandbox) || !matches(exchange)) return
    later += 1
    onFound()
  })
  try {
    const journals = Array.from(sandboxes).flatMap(world => (isWanted(world.sandbox) ? [world.journal] : []))
    const { total: earlier } = await finishInTurns(findIn(journals, matches, 0), waiting)
    if (earlier + later < count)
      await untilEnded(timeoutMs, waiting, end => {
        onFound = () => {
          if (earlier + later < count) return
          isOver = true
          end()
        }
      })
    return { reached: earlier + later >= count, count: earlier + later }
  } catch (error) {
    if (error === waiting.signal.reason) return { reached: false, count: later }
    throw error
  } finally {
    stopObserving()
  }
}

/** Resolves when `start`'s argument is called, on timeout, and when the client leaves or the door closes. */
function untilEnded(timeoutMs: number, { signal, after }: Waiting, start: (end: () => void) => void) {
  return new Promise<void>(resolve => {
    const end = () => {
      stopTimer()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const stopTimer = after(timeoutMs, end)
    signal.addEventListener('abort', end)
    start(end)
    if (signal.aborted) end()
  })
}
