import type { Exchange } from '../../emulator/journal/exchange.ts'
import { faultName } from '../../service/call/fault.ts'
import { reachesApi } from '../conduct/callers.ts'
import { evidenceOf } from '../conduct/observed-call.ts'
import type { ShowText } from '../inspection/conceal.ts'
import type { Evidence } from '../report/finding.ts'

/** A call of a run, for people who look for the reason of a failure. */
export interface LoggedCall extends Evidence {
  readonly hasFailed: boolean
}

const mostCalls = 200
/** Shown before and after the failure. */
const mostAround = 5

/** Keeps the last calls of a run. */
export function createCallLog(textOf: (exchange: Exchange) => ShowText) {
  const calls: LoggedCall[] = []
  return {
    add: (exchange: Exchange): void => {
      if (!reachesApi(exchange)) return
      const { reply, trace } = exchange
      const detail = reply.fault === undefined ? (trace.code ?? '') : faultName(reply.fault)
      const hasFailed = reply.status >= 400 || reply.fault !== undefined
      calls.push({ ...evidenceOf(exchange, textOf(exchange)), detail, hasFailed })
      if (calls.length > mostCalls) calls.shift()
    },
    calls: (): readonly LoggedCall[] => calls,
  }
}

/** The calls around this request; without one, around the last that failed, or else the last calls. */
export function callsAround(calls: readonly LoggedCall[], request?: number): readonly LoggedCall[] {
  const wanted = calls.findIndex(call => call.request === request)
  const failed = calls.findLastIndex(({ hasFailed }) => hasFailed)
  const at = [wanted, failed].find(index => index >= 0) ?? calls.length - 1
  return calls.slice(Math.max(0, at - mostAround), at + mostAround + 1)
}
