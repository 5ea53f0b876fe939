import type { Emulator } from '../../../emulator/emulator.ts'
import type { Exchange } from '../../../emulator/journal/exchange.ts'
import { createConduct } from '../../../judges/conduct/conduct.ts'
import { type ConductReport, reportConduct } from '../../../judges/conduct/conduct-report.ts'
import { conductContext, plansOf } from '../../../judges/conduct/judge-worlds.ts'

/**
 * Judges every call from now on, whatever becomes of journals: a reset or a busy sandbox forgets, this does not. It
 * looks at calls when they have been answered. `onError`: a defect of ours.
 */
export function watchConduct(
  { observe, sandboxes }: Emulator,
  onError: (error: unknown) => void,
): () => ConductReport {
  const conduct = createConduct(conductContext(name => sandboxes.get(name)))
  let waiting: Exchange[] = []
  const judge = () => {
    const exchanges = waiting
    waiting = []
    try {
      for (const exchange of exchanges) conduct.add(exchange)
    } catch (error) {
      onError(error)
    }
  }
  observe(exchange => {
    if (waiting.length === 0) setImmediate(judge)
    waiting.push(exchange)
  })
  return () => {
    judge()
    return reportConduct(conduct, { plans: plansOf(sandboxes), evicted: 0, flights: true })
  }
}
