import type { Exchange } from '../../emulator/journal/exchange.ts'
import { createFlightLog } from './flight-log.ts'
import { judgeBackoff } from './judge-backoff.ts'
import { judgePages } from './judge-pages.ts'
import { judgePolling } from './judge-polling.ts'
import { judgeRequests } from './judge-requests.ts'
import { judgeWaits } from './judge-waits.ts'
import { type ConductContext, fingerprintOf, type Note } from './observed-call.ts'
import { createUsageLog } from './usage.ts'

/** The calls of one key in one sandbox, or of one address without a valid key. */
export type Caller = ReturnType<typeof createCaller>

export function createCaller(
  { sandbox, trace: { key } }: Exchange,
  addToTally: Note,
  context: ConductContext,
) {
  let noted = 0
  const note: Note = remark => {
    noted += 1
    addToTally(remark)
  }
  const flight = createFlightLog()
  const { usage, add } = createUsageLog()
  const judges = [
    judgeWaits(note, flight.addWait),
    judgeBackoff(note),
    judgeRequests(note, context),
    judgePolling(note),
    judgePages(note),
  ]
  return {
    sandbox,
    key,
    usage,
    flight,
    /** The number of remarks. */
    noted: () => noted,
    add: (exchange: Exchange) => {
      const fingerprint = fingerprintOf(exchange.call)
      for (const judge of judges) judge({ exchange, fingerprint })
      add(exchange, fingerprint)
      flight.add(exchange)
    },
  }
}
