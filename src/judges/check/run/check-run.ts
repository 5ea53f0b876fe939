import type { JsonObject, JsonValue } from '../../../base/json/value.ts'
import { reservedCalls } from '../calls/call-budget.ts'
import { type CheckedCall, checkedCall } from '../calls/checked-call.ts'
import { type CheckId, checks } from '../calls/checks.ts'
import { History } from '../calls/history.ts'
import { Ledger } from '../calls/ledger.ts'
import { pauseMs, readStanding, type Standing, serviceTime } from '../calls/pace.ts'
import { type CheckRequest, hasKey } from '../calls/request.ts'
import { retryMs } from '../calls/retry-after.ts'
import { removalDay } from '../responses/deprecation.ts'
import { checkEveryResponse } from '../responses/every-response.ts'
import type { CheckOptions } from './check-options.ts'
import { OnlyReserve, OutOfBudget } from './out-of-budget.ts'

/** A run against a service that never responds must not wait for every request. */
const mostSilences = 3
/** A service may fail and recover, but not again and again. */
const mostFailures = 3
/** With a wrong key, nothing else can be checked. */
const mostRejections = 2
/** Checks of requests that the specification does not describe at all. */
const elsewhere: readonly CheckId[] = ['orders-answer', 'route-unknown', 'method-unknown', 'head-as-get']

/** A run against a service. It keeps to its budget and to the rate limit, and checks every response. */
export class CheckRun {
  readonly options: CheckOptions
  readonly ledger = new Ledger()
  readonly history = new History()
  /** Documented responses that came: `listPets 200`. */
  readonly seen = new Set<string>()
  /** Animals from a list, and those that the run created. */
  pets: readonly JsonObject[] = []
  /** The ids of the animals that the run created. */
  readonly created = new Set<JsonValue>()
  /** The ids of the last list with limit=100, by status; without one by ''. */
  readonly listed = new Map<string, readonly string[]>()
  /** The most animals that a list had. */
  longestList = 0
  /** Whether a list had a link to the next page. */
  hasLinks = false
  standing: Standing | undefined
  calls = 0
  /** Whether getPet may be removed by now. */
  isAfterRemoval = false
  /** Calls without a response, in a row. */
  #silences = 0
  #failures = 0
  #failuresInRow = 0
  #mayBeBanned = false
  /** How often the service rejected the key. Undefined after it accepted the key. */
  #rejections: number | undefined = 0
  /** Calls held back until `release`. */
  #reserved: number
  /** Calls to make between the others. */
  #between: (() => Promise<unknown>)[] = []

  constructor(options: CheckOptions) {
    this.options = options
    this.#reserved = options.exhausts ? reservedCalls(options.plan, options.maxCalls) : 0
  }

  get callsLeft(): number {
    return this.options.maxCalls - this.#reserved - this.calls
  }

  /** Makes the reserved calls available. */
  release(): void {
    this.#reserved = 0
  }

  /** Makes each call before one of the next calls with the key, so that its effect on the quota shows. */
  interleave(acts: readonly (() => Promise<unknown>)[]): void {
    this.#between.push(...acts)
  }

  /**
   * Calls the service when the rate limit allows it, and once more after 429 or 5xx. Undefined without a response. What the
   * response to a request for an assumption has is assumed, too: `id` names its check.
   */
  async call(request: CheckRequest, id?: CheckId): Promise<CheckedCall | undefined> {
    const { ledger } = this
    const { now, wait } = this.options
    if (hasKey(request)) await this.#between.shift()?.()
    await this.#wait(pauseMs(this.standing, now()))
    const call = await this.callNow(request, id)
    if (call !== undefined && isFailure(call) && !ledger.isFailed('server-error')) {
      await wait(1_000)
      const again = await this.callNow(request, id)
      if (again === undefined || again.status !== 429) return again
    }
    if (call?.status !== 429) return call
    // Callers without a key have a quota of their own (A04). Without any time in the response, do not retry.
    const ms =
      retryMs(call.headers, serviceTime(call.headers, now())) ?? pauseMs(readStanding(call, now()), now())
    if (ms === 0) return call
    await this.#wait(ms)
    return this.callNow(request, id)
  }

  /** Calls the service and ignores the rate limit. */
  async callNow(request: CheckRequest, id?: CheckId): Promise<CheckedCall | undefined> {
    const { ledger } = this
    const { send, judge, plan, maxCalls, now, onCall } = this.options
    if (this.callsLeft <= 0) {
      if (this.#reserved > 0) throw new OnlyReserve(`--exhaust needs the rest of --max-calls ${maxCalls}`)
      throw new OutOfBudget(`--max-calls ${maxCalls} is used up`)
    }
    this.calls += 1
    onCall(this.calls)
    const answer = await send(request)
    if ('fails' in answer) {
      const detail = `no complete response (${answer.fails})`
      ledger.record('answers-at-all', { request, status: undefined }, detail)
      this.#silences += 1
      if (this.#silences < mostSilences) return undefined
      throw new OutOfBudget(`${mostSilences} requests in a row got no response`)
    }
    this.#silences = 0
    const call = checkedCall(request, answer, ledger)
    call.check('answers-at-all', true, '')
    const standing = readStanding(call, now())
    if (hasKey(request)) this.standing = standing ?? this.standing
    this.history.add(call, standing, now())
    this.isAfterRemoval ||= serviceTime(call.headers, now()) >= removalDay.from
    const isAssumed = id !== undefined && checks[id].isAssumed
    const isElsewhere = id !== undefined && elsewhere.includes(id)
    // A ban after 429 may have any status.
    if (hasKey(request)) this.#mayBeBanned = call.status >= 400 && (this.#mayBeBanned || call.status === 429)
    const mayBeBanned = this.#mayBeBanned
    const context = { judge, plan, now: now(), isAssumed, isElsewhere, mayBeBanned }
    const operation = await checkEveryResponse(call, context)
    if (operation !== undefined) this.seen.add(`${operation} ${call.status}`)
    if (!isElsewhere) this.#checkFailure(call)
    return hasKey(request) && this.#isRejected(call) ? this.callNow(request, id) : call
  }

  /** Calls the service and checks the status. Undefined if the status is another one. */
  async expect(status: number, request: CheckRequest, id: CheckId): Promise<CheckedCall | undefined> {
    const call = await this.call(request, id)
    if (call === undefined) return undefined
    if (call.status === 429) {
      this.ledger.leaveOpen(id, 'the status is 429 again and again')
      return undefined
    }
    call.check(id, call.status === status, `the status is ${call.status}, not ${status}`)
    return call.status === status ? call : undefined
  }

  /** Whether the service rejects the key, and never accepted it. Throws if it does so again. */
  #isRejected({ status }: CheckedCall): boolean {
    if (this.#rejections === undefined) return false
    this.#rejections = status === 401 ? this.#rejections + 1 : undefined
    if (this.#rejections === mostRejections)
      throw new OutOfBudget('the service rejects the value of --key with 401')
    return status === 401
  }

  async #wait(ms: number): Promise<void> {
    const { maxWaitMs, wait } = this.options
    if (ms > maxWaitMs)
      throw new OutOfBudget(`the rate limit resets in ${Math.ceil(ms / 1_000)} s, later than --max-wait`)
    if (ms > 0) await wait(ms)
  }

  /** One failure may happen: the same request comes again. */
  #checkFailure(call: CheckedCall): void {
    const fails = isFailure(call)
    this.#failures += fails ? 1 : 0
    this.#failuresInRow = fails ? this.#failuresInRow + 1 : 0
    const isFine = !fails || (this.#failuresInRow < 2 && this.#failures < mostFailures)
    call.check('server-error', isFine, `the status is ${call.status}; ${this.#failures} requests failed so`)
  }
}

/** 501 refuses a method. */
function isFailure({ status }: CheckedCall): boolean {
  return status >= 500 && status !== 501
}
