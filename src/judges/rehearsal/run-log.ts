import { type Exchange, isRefused } from '../../emulator/journal/exchange.ts'
import { faultName } from '../../service/call/fault.ts'
import { waitIds } from '../conduct/checks.ts'
import type { ConductReport } from '../conduct/conduct-report.ts'
import { evidenceOf, type ObservedCall, reachesApi } from '../conduct/observed-call.ts'
import type { ShowText } from '../inspection/conceal.ts'
import type { Evidence } from '../report/finding.ts'
import { createRecoveryLog, type FindWorld, hasSucceeded } from './recovery.ts'

export type RunFacts = Readonly<ReturnType<ReturnType<typeof createRunLog>['facts']>>

/** Responses that are still on their way. */
const mostPending = 1_000

/** Takes the calls of one run of a client as the judge of conduct observes them. Its memory is bounded. */
export function createRunLog(find: FindWorld) {
  const recovery = createRecoveryLog(find)
  /** Calls that reached the API, those answered with success and in whole, and those refused by a limit or a ban. */
  const counts = { calls: 0, succeeded: 0, refused: 0 }
  const pending = createPending((caller, observed) => {
    if (hasSucceeded(observed)) counts.succeeded += 1
    recovery.add(caller, observed)
  })
  return {
    onObserved: (caller: string, observed: ObservedCall): void => {
      const { exchange } = observed
      counts.calls += 1
      if (isRefused(exchange)) counts.refused += 1
      pending.add(caller, observed)
    },
    onRestart: (isOfSandbox: (caller: string) => boolean): void => {
      pending.settle()
      recovery.forget(isOfSandbox)
    },
    /** As if no further call came. `endedAt`: when the client ended, on the emulator's clock. `all`: calls to any path. */
    facts: (endedAt: number, { findings }: Pick<ConductReport, 'findings'>, all = counts.calls) => {
      pending.settle()
      const early = findings.filter(({ id }) => earlyIds.some(known => known === id))
      return {
        ...counts,
        /** Calls to other paths than the API's. */
        outside: all - counts.calls,
        /** Calls before the end of a wait that the client knew of. */
        early: early.reduce((sum, { count }) => sum + count, 0),
        recovery: recovery.recovery(endedAt),
      }
    },
  }
}

const earlyIds = waitIds.filter(id => id !== 'banned')

/** Holds calls in order until their responses are sent: only then is known whether the client got them. */
function createPending(pass: (caller: string, observed: ObservedCall) => void) {
  const pending: { readonly name: string; readonly observed: ObservedCall }[] = []
  const settle = (now = Number.POSITIVE_INFINITY, most = 0) => {
    while (pending.length > 0) {
      const [next] = pending
      if (next === undefined) return
      const { at, connection } = next.observed.delivery
      const isOnItsWay = at > now && Number.isFinite(at) && connection?.closedAt === undefined
      if (pending.length <= most && isOnItsWay) return
      pending.shift()
      pass(next.name, next.observed)
    }
  }
  return {
    add: (name: string, observed: ObservedCall): void => {
      const { exchange } = observed
      const { call, reply } = exchange
      // Bodies may be long.
      const bare = { ...exchange, call: { ...call, body: undefined }, reply: { ...reply, body: undefined } }
      pending.push({ name, observed: { ...observed, exchange: bare } })
      settle(observed.exchange.call.receivedAt, mostPending)
    },
    settle,
  }
}

/** A call of a run, for people who look for the reason of a failure. */
export interface LoggedCall extends Evidence {
  readonly hasFailed: boolean
}

const mostCalls = 200
/** Shown before and after the failure. */
const mostAround = 5

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
