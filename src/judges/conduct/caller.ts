import type { Exchange } from '../../emulator/journal/exchange.ts'
import { createFlightLog, type FlightLog } from './flight-log.ts'
import { judgeBackoff } from './judge-backoff.ts'
import { judgePages } from './judge-pages.ts'
import { judgePolling } from './judge-polling.ts'
import { judgeRequests } from './judge-requests.ts'
import { judgeWaits } from './judge-waits.ts'
import { type ConductContext, type Note, observeCall } from './observed-call.ts'
import { createUsageLog, type Usage } from './usage.ts'

/** The calls of one key in one sandbox, or of one address without a valid key. */
export interface Caller {
  readonly sandbox: string
  readonly key: string | undefined
  readonly usage: Usage
  readonly flight: FlightLog
  /** The number of remarks. */
  readonly noted: () => number
  readonly add: (exchange: Exchange) => void
}

export function createCaller(
  { sandbox, trace: { key } }: Exchange,
  addToTally: Note,
  context: ConductContext,
): Caller {
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
    noted: () => noted,
    add: exchange => {
      const call = observeCall(exchange)
      for (const judge of judges) judge(call)
      add(exchange, call.fingerprint)
      flight.add(exchange)
    },
  }
}
