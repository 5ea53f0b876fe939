import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { ShowText } from '../inspection/conceal.ts'
import { createFlightLog, type FlightLog } from './flight-log.ts'
import { judgeBackoff } from './judge-backoff.ts'
import { judgePages } from './judge-pages.ts'
import { judgePolling } from './judge-polling.ts'
import { judgeRequests } from './judge-requests.ts'
import { judgeWaits } from './judge-waits.ts'
import { type Note, observeCall } from './observed-call.ts'
import { createUsageLog, type Usage } from './usage.ts'

/** What there is to know of the worlds in which calls were made. */
export interface ConductContext {
  /** How the texts of an exchange are shown: with their keys masked. */
  readonly textOf: (exchange: Exchange) => ShowText
  readonly isKey: (exchange: Exchange, text: string) => boolean
  /** The id of the first exchange since the sandbox last started anew, by a reset, a scenario or a snapshot. */
  readonly startsAt: (exchange: Exchange) => number
}

/** All that is known of the calls of one key in one sandbox, or of those there that show no key. */
export interface Caller {
  readonly sandbox: string
  readonly key: string | undefined
  readonly usage: Usage
  readonly flight: FlightLog
  /** How much was noted of it. */
  readonly noted: () => number
  readonly add: (exchange: Exchange) => void
}

export function createCaller(
  { sandbox, trace: { key } }: Exchange,
  tell: Note,
  { textOf, isKey }: ConductContext,
): Caller {
  let noted = 0
  const note: Note = remark => {
    noted += 1
    tell(remark)
  }
  const flight = createFlightLog()
  const { usage, add } = createUsageLog()
  const judges = [
    judgeWaits(note, flight.addWait),
    judgeBackoff(note),
    judgeRequests(note, textOf, isKey),
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
      const seen = observeCall(exchange)
      for (const judge of judges) judge(seen)
      add(exchange, seen.fingerprint)
      flight.add(exchange)
    },
  }
}
