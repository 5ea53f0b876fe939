import { type Exchange, isRefused } from '../../emulator/journal/exchange.ts'
import { createCallers, reachesApi } from '../conduct/callers.ts'
import { WaitJudge } from '../conduct/judge-waits.ts'
import { createLinks } from '../conduct/links.ts'
import { createObserver, type HeldRemark, type ObservedCall, type Remark } from '../conduct/observed-call.ts'
import { retryAfterMs } from '../conduct/retry-after-form.ts'
import { createRecoveryLog, type Recovery } from './recovery.ts'
import { type FindWorld, hasSucceeded } from './setback.ts'

/** What the calls of one run of a client came to. */
export interface RunFacts {
  /** Calls that reached the API. */
  readonly calls: number
  /** Answered with success, and in whole. */
  readonly succeeded: number
  /** Refused by a limit or a ban. */
  readonly refused: number
  /** Injected 429 and 503 with `Retry-After`. */
  readonly injectedWaits: number
  /** Calls before the end of a wait that the client knew of. */
  readonly early: number
  /** Calls that another client may have made, or one that waits by its own clock. */
  readonly doubtful: number
  readonly recovery: Recovery
}

export type RunLog = ReturnType<typeof createRunLog>

/** Responses that are still on their way. */
const mostPending = 1_000

/** Takes each exchange of one run of a client in order. Its memory is bounded. */
export function createRunLog(find: FindWorld) {
  const recovery = createRecoveryLog(find)
  const counts = { calls: 0, succeeded: 0, refused: 0, injectedWaits: 0, early: 0, doubtful: 0 }
  const pending = createPending((caller, observed) => {
    if (hasSucceeded(observed)) counts.succeeded += 1
    recovery.add(caller, observed)
  })

  const callers = createCallers<Caller>({
    create: (_, portion) => createCaller(counts, portion),
    onEnd: caller => caller.end(),
    startsAt: ({ sandbox }) => find(sandbox)?.placedAt ?? 1,
    onRestart: isOfSandbox => {
      pending.settle()
      recovery.forget(isOfSandbox)
    },
  })

  return {
    add: (exchange: Exchange): void => {
      if (!reachesApi(exchange)) return
      const { name, caller } = callers.of(exchange)
      counts.calls += 1
      if (isRefused(exchange)) counts.refused += 1
      else if (isInjectedWait(exchange)) counts.injectedWaits += 1
      pending.add(name, caller.add(exchange))
    },
    /** As if no further call came. `endedAt`: when the client ended, on the emulator's clock. */
    facts: (endedAt: number): RunFacts => {
      pending.settle()
      const open = callers.all().map(caller => caller.open())
      const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
      return {
        ...counts,
        early: counts.early + sum(open.map(({ remarks }) => remarks.length)),
        doubtful: counts.doubtful + sum(open.map(({ unjudged }) => unjudged)),
        recovery: recovery.recovery(endedAt),
      }
    },
  }
}

/** Holds calls in order until their responses are sent: only then is known whether the client got them. */
function createPending(pass: (caller: string, observed: ObservedCall) => void) {
  const pending: { readonly name: string; readonly observed: ObservedCall }[] = []
  const settle = (now = Number.POSITIVE_INFINITY, most = 0) => {
    while (pending.length > 0) {
      const [next] = pending
      if (next === undefined || (pending.length <= most && isOnItsWay(next.observed, now))) return
      pending.shift()
      pass(next.name, next.observed)
    }
  }
  return {
    add: (name: string, observed: ObservedCall): void => {
      pending.push({ name, observed: withoutBodies(observed) })
      settle(observed.exchange.call.receivedAt, mostPending)
    },
    settle,
  }
}

/** Bodies may be long. */
function withoutBodies(observed: ObservedCall): ObservedCall {
  const { exchange } = observed
  const { call, reply } = exchange
  return {
    ...observed,
    exchange: { ...exchange, call: { ...call, body: undefined }, reply: { ...reply, body: undefined } },
  }
}

function isOnItsWay({ delivery: { at, connection } }: ObservedCall, now: number): boolean {
  return at > now && Number.isFinite(at) && connection?.closedAt === undefined
}

function isInjectedWait({ reply, trace }: Exchange): boolean {
  return (
    trace.synthetic &&
    trace.gate !== 'prefer' &&
    (reply.status === 429 || reply.status === 503) &&
    retryAfterMs(reply) !== undefined
  )
}

type Caller = ReturnType<typeof createCaller>

/** Counts the early calls of one key in one sandbox, as the findings about them do. */
function createCaller(counts: { early: number; doubtful: number }, portion: () => number) {
  const links = createLinks(portion)
  const observe = createObserver(links)
  const note = ({ id }: Pick<Remark, 'id'>) => {
    if (id !== 'banned') counts.early += 1
  }
  const onOpen = () => {
    counts.doubtful += 1
  }
  const waits = new WaitJudge({ links, note, noteHeld: note, hold, onOpen, onWait: () => {}, portion })
  return {
    open: () => waits.open(),
    end: () => waits.end(),
    add: (exchange: Exchange): ObservedCall => {
      const observed = observe(exchange)
      waits.judge(observed)
      return observed
    },
  }
}

/** Only the number of remarks matters here. */
function hold({ exchange: _, ...remark }: Remark): HeldRemark {
  return { ...remark, expectation: undefined, evidence: { what: '', detail: '' } }
}
