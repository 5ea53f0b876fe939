import type { Emulator } from '../../emulator/emulator.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { createConduct } from '../../judges/conduct/conduct.ts'
import { type ConductReport, reportConduct } from '../../judges/conduct/conduct-report.ts'
import { conductContext, plansOf } from '../../judges/conduct/judge-worlds.ts'
import type { ConductContext } from '../../judges/conduct/observed-call.ts'

/**
 * Judges all calls from now on, also those that a reset or a full journal drops. It runs after the response, off the
 * request path. `onError`: a defect of pet-mock. `flights`: whether the report has charts. `ifNoCalls`: why there were none then.
 */
export function watchConduct(
  { observe, sandboxes }: Emulator,
  onError: (error: unknown) => void,
  hooks: Pick<ConductContext, 'onObserved' | 'onRestart'> = {},
): (flights?: boolean, ifNoCalls?: string) => ConductReport {
  const context = conductContext(name => sandboxes.get(name), sandboxes)
  const conduct = createConduct({ ...context, ...hooks, onError })
  let waiting: Exchange[] = []
  const judge = () => {
    const exchanges = waiting
    waiting = []
    for (const exchange of exchanges) conduct.add(exchange)
  }
  observe(exchange => {
    if (waiting.length === 0) setImmediate(judge)
    waiting.push(exchange)
  })
  return (flights = true, ifNoCalls) => {
    judge()
    const { expectations } = sandboxes
    const expected = { all: expectations.all(), forgotten: expectations.forgotten }
    return reportConduct(conduct, {
      plans: plansOf(sandboxes),
      evicted: 0,
      flights,
      expected,
      ...(ifNoCalls && { ifNoCalls }),
    })
  }
}
