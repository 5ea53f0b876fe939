import { formatDuration } from '../../base/time/duration.ts'
import { redirectTarget } from '../../service/call/headers.ts'
import type { Judge } from '../contract/judge.ts'
import type { WholeAnswer } from '../walkthrough/target.ts'
import { Availability, eitherOf, isOutage, quotaOf, retryMs } from './answers.ts'
import type { History, Ledger } from './ledger.ts'
import { type CheckRequest, hasKey, operationOf, targetOf } from './requests.ts'

/** `fails` says how a call got no answer: `hang`, or an error of the network. */
export type CheckAnswer = WholeAnswer | { readonly fails: string }

export interface CheckOptions {
  /** Sends a request, and waits for its answer at most `withinMs`. Rejects if the service cannot be reached at all. */
  readonly send: (request: CheckRequest, withinMs: number) => Promise<CheckAnswer>
  readonly judge: Judge
  readonly plan: string
  /** The path of the base URL, in front of every target. */
  readonly basePath: string
  readonly maxCalls: number
  /** The longest time of the whole run, in milliseconds. */
  readonly maxTimeMs: number
  /** Whether the run may create animals, which the API cannot delete. */
  readonly allowsWrites: boolean
  /** Whether the run uses up the quota of a minute. */
  readonly exhausts: boolean
  readonly seed: number
  /** This machine's time, in epoch milliseconds. */
  readonly now: () => number
  /** `why` says what for: `until the rate limit resets`. */
  readonly wait: (ms: number, why: string) => Promise<void>
  readonly onCall: (calls: number) => void
}

export function usualCalls(plan: string, exhausts: boolean): number {
  return (plan === 'free' ? minuteOf(plan) : 200) + (exhausts ? twice(plan) : 0)
}

/** The calls to hold back for --exhaust: it uses up the quota twice, if --max-calls allows it. */
export function reservedCalls(plan: string, maxCalls: number): number {
  return Math.max(callsToExhaust(plan), Math.min(twice(plan), maxCalls - usualCalls(plan, false)))
}

/** The calls that --exhaust needs at least, if no new window begins meanwhile. */
export function callsToExhaust(plan: string): number {
  return 10 + minuteOf(plan)
}

function twice(plan: string): number {
  return 2 * minuteOf(plan) + 20
}

function minuteOf(plan: string): number {
  return quotaOf(plan)?.minute ?? 0
}

/** No calls or no time is left: the rest of the run is skipped. */
export class OutOfBudget extends Error {}

export class OnlyReserve extends OutOfBudget {}

export type Budget = ReturnType<typeof createBudget>

/** The calls and the time of a run. It holds back a part of both for --exhaust. */
export function createBudget(options: CheckOptions) {
  const { maxCalls, maxTimeMs, plan, now, wait } = options
  const startedAt = now()
  /** Calls held back until `release`. */
  let reserved = options.exhausts ? reservedCalls(plan, maxCalls) : 0
  const timeLeftOf = (mostMs: number) => startedAt + mostMs - now()
  const timeFlag = `--max-time ${formatDuration(maxTimeMs)}`
  const ended = (flag: string) =>
    reserved > 0
      ? new OnlyReserve(`--exhaust needs the rest of ${flag}`)
      : new OutOfBudget(`${flag} is used up`)
  return {
    calls: 0,
    get callsLeft(): number {
      return maxCalls - reserved - this.calls
    },
    /** In milliseconds. */
    get timeLeft(): number {
      return timeLeftOf(reserved > 0 ? maxTimeMs / 2 : maxTimeMs)
    },
    release: (): void => {
      reserved = 0
    },
    spendCall(): void {
      if (this.callsLeft <= 0) throw ended(`--max-calls ${maxCalls}`)
      if (this.timeLeft <= 0) throw ended(timeFlag)
      this.calls += 1
    },
    /** `why` says what for: `until the rate limit resets`. */
    async wait(ms: number, why: string): Promise<void> {
      if (ms <= 0) return
      if (ms > timeLeftOf(maxTimeMs))
        throw new OutOfBudget(`${timeFlag} leaves no time to wait ${Math.ceil(ms / 1_000)} s ${why}`)
      if (ms > this.timeLeft) throw ended(timeFlag)
      await wait(ms, why)
    },
  }
}

/** So many answers of one kind, and no other ones, end a run. A call that hangs takes long: it counts twice. */
const enough = { redirect: 2, refused: 2, failed: 6 } as const
type Kind = keyof typeof enough

/** Notices when every answer so far shows that more calls are pointless. The run itself notices a rejected key. */
class Pointless {
  #kind: Kind | undefined
  #count = 0
  #isOver = false
  /** How often each operation was refused with 429 that never gave another answer. */
  readonly #refusals = new Map<string, number>()

  /** Returns why the run should end, as a clause. `operation`: the one that was called. */
  add(request: CheckRequest, operation: string, answer: CheckAnswer): string | undefined {
    const kind = kindOf(answer)
    if (hasKey(request) && (this.#refusals.get(operation) ?? 0) >= 0)
      this.#refusals.set(operation, kind === 'refused' ? (this.#refusals.get(operation) ?? 0) + 1 : -1)
    // Callers without a key have a limit of their own (A04).
    if (this.#isOver || (!hasKey(request) && kind !== 'redirect' && kind !== 'failed')) return undefined
    this.#kind ??= kind
    this.#isOver = kind === undefined || kind !== this.#kind
    this.#count += 'fails' in answer && answer.fails === 'hang' ? 2 : 1
    return this.#isOver || kind === undefined || this.#count < enough[kind] ? undefined : reasonOf(answer)
  }

  /** Whether an operation answers 429 alone, so that waiting for it is pointless. */
  isRefused(operation: string): boolean {
    return (this.#refusals.get(operation) ?? 0) >= enough.refused
  }
}

function kindOf(answer: CheckAnswer): Kind | undefined {
  if ('fails' in answer || isOutage(answer.status)) return 'failed'
  if (answer.status === 429) return 'refused'
  return redirectTarget(answer.status, answer.headers) ? 'redirect' : undefined
}

function reasonOf(answer: CheckAnswer): string {
  if ('fails' in answer) return `no request got a complete response (${answer.fails})`
  const { status, headers } = answer
  if (status === 429) return 'the service answers every request with 429, also after Retry-After'
  if (status >= 500) return `the service answers every request with 5xx, such as ${status}`
  return `the service redirects every request to ${headers.location}: check that address`
}

const answerWithinMs = 30_000
/** How often a GET is sent until its answer counts as lost. Where that happened often, no gateway explains it. */
const mostTries = 3
const oftenLost = 2
/** Nobody waits longer to repeat a lost call. */
const longestPauseMs = 30_000

export type Sender = ReturnType<typeof createSender>

/** Sends requests, and sets aside answers that a gateway or a restart explains. No check sees them. */
export function createSender(options: CheckOptions, budget: Budget, ledger: Ledger, history: History) {
  const availability = new Availability()
  /** Requests that never got an answer, although they were repeated, and what they got. */
  const unanswered: { readonly request: CheckRequest; readonly setAside: CheckAnswer[] }[] = []
  const pointless = new Pointless()
  let retried = 0

  const isOftenLost = (operation: string) =>
    unanswered.filter(({ request }) => operationOf(request) === operation).length >= oftenLost
  const named = (request: CheckRequest) => `${request.method} ${targetOf(request, options.basePath)}`
  const record = (request: CheckRequest, answer: CheckAnswer, isAgain = false) => {
    const got = 'fails' in answer || isOutage(answer.status) ? shown(answer) : undefined
    availability.add(operationOf(request), got)
    const status = 'fails' in answer ? undefined : answer.status
    const detail = got && (status === undefined ? got : `the status is ${got}`)
    ledger.record('availability', { request, status }, detail, isAgain)
  }
  const sendOnce = async (request: CheckRequest, setAside: CheckAnswer[]): Promise<CheckAnswer> => {
    budget.spendCall()
    options.onCall(budget.calls)
    const answer = await options.send(request, Math.min(answerWithinMs, budget.timeLeft))
    // The end of --max-time may have cut it.
    const isCut = 'fails' in answer && budget.timeLeft <= 0
    if ('fails' in answer || isOutage(answer.status)) {
      history.addGap()
      if (!isCut) setAside.push(answer)
    }
    const reason = pointless.add(request, operationOf(request), answer)
    if (reason === undefined) return answer
    const detail = 'no request was accepted, also after Retry-After'
    if ('status' in answer && answer.status === 429)
      ledger.record('retry-works', { request, status: 429 }, detail)
    throw new OutOfBudget(reason)
  }
  const repeat = async (request: CheckRequest, mayFail: boolean, setAside: CheckAnswer[]) => {
    const operation = operationOf(request)
    const isRepeated = request.method === 'GET' || request.method === 'HEAD'
    for (let tries = 1; ; tries += 1) {
      const answer = await sendOnce(request, setAside)
      const whole = 'fails' in answer ? undefined : answer
      if (whole !== undefined && !isOutage(whole.status)) {
        record(request, whole)
        return whole
      }
      const pause = Math.max(tries * 1_000, (whole && retryMs(whole.headers, options.now())) ?? 0)
      const isLast = !isRepeated || tries === mostTries || isOftenLost(operation) || pause > longestPauseMs
      if (isLast && isRepeated && mayFail && whole !== undefined) {
        setAside.length = 0
        return whole
      }
      if (isLast) {
        if (isRepeated && !mayFail) unanswered.push({ request, setAside })
        const got = eitherOf([...setAside, answer].map(shown))
        sender.lost = `${named(request)} got ${got}${tries > 1 ? ' each time' : ''}`
        return undefined
      }
      await budget.wait(pause, `to repeat ${named(request)} after ${shown(answer)}`)
    }
  }
  const sender = {
    availability,
    unanswered,
    /** Why the last call without an answer has none. */
    lost: undefined as string | undefined,
    /**
     * Sends a request, and GET and HEAD up to twice again: a POST may have been carried out. Undefined without an answer.
     * `mayFail`: three of three 5xx are the answer.
     */
    send: async (request: CheckRequest, mayFail: boolean): Promise<WholeAnswer | undefined> => {
      const operation = operationOf(request)
      const loss = availability.lossOf(operation)
      if (loss !== undefined) sender.lost = `${operation} got ${loss} each time`
      else if (pointless.isRefused(operation))
        sender.lost = `${operation} answers 429, also after Retry-After`
      else {
        const setAside: CheckAnswer[] = []
        try {
          return await repeat(request, mayFail, setAside)
        } finally {
          for (const answer of setAside) record(request, answer)
        }
      }
      return undefined
    },
    /** Repeats the next requests whose answers were lost, for the availability alone. `pause` waits for the rate limit. */
    retry: async (most: number, pause: () => Promise<void>): Promise<void> => {
      const next = unanswered.slice(retried, retried + most)
      retried += next.length
      for (const { request, setAside } of next) {
        await pause()
        // No check sees the answer, but the service may count the call.
        history.addGap()
        const lost: CheckAnswer[] = []
        const answer = await sendOnce(request, lost)
        if (lost.length > 0 || !('fails' in answer)) record(request, answer, true)
        if (lost.length > 0)
          availability.addUnanswered(named(request), eitherOf([...setAside, answer].map(shown)))
      }
    },
  }
  return sender
}

function shown(answer: CheckAnswer): string {
  return 'fails' in answer ? `no answer (${answer.fails})` : `${answer.status}`
}
