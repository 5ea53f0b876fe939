import type { JsonObject } from '../../base/json/value.ts'
import { readRetryAfter } from '../../base/time/retry-after.ts'
import type { Judge } from '../contract/judge.ts'
import type { Answer } from '../walkthrough/target.ts'
import { callsToExhaust } from './call-budget.ts'
import { type CheckedCall, checkedCall } from './checked-call.ts'
import type { CheckId } from './checks.ts'
import { checkEveryResponse } from './every-response.ts'
import { Ledger } from './ledger.ts'
import { pauseMs, readStanding, type Standing } from './pace.ts'
import { type CheckRequest, hasKey } from './request.ts'

export interface CheckOptions {
  /** Sends a request; rejects if the service cannot be reached at all. */
  readonly send: (request: CheckRequest) => Promise<Answer>
  readonly judge: Judge
  readonly plan: string
  /** The path of the base URL, in front of every target. */
  readonly basePath: string
  readonly maxCalls: number
  /** The longest wait for a window to reset, in milliseconds. */
  readonly maxWaitMs: number
  /** Whether the run may create animals, which the API cannot delete. */
  readonly allowsWrites: boolean
  /** Whether the run uses up the quota of a minute. */
  readonly exhausts: boolean
  readonly seed: number
  /** This machine's time, in epoch milliseconds. */
  readonly now: () => number
  readonly wait: (ms: number) => Promise<void>
  readonly onCall: (calls: number) => void
}

/** One part of a run. Rejects with OutOfBudget. */
export interface Part {
  readonly name: string
  readonly act: (run: CheckRun) => Promise<void>
  /** Whether the part creates animals. */
  readonly writes?: boolean
}

/** No calls or no time is left: the rest of the run is skipped. */
export class OutOfBudget extends Error {}

/** A run against a service that never responds must not wait for every request. */
const mostSilences = 3

/** A run against a service. It keeps to its budget and to the rate limit, and checks every response. */
export class CheckRun {
  readonly options: CheckOptions
  readonly ledger = new Ledger()
  /** Documented responses that came: `listPets 200`. */
  readonly seen = new Set<string>()
  /** Animals from a list. */
  pets: readonly JsonObject[] = []
  standing: Standing | undefined
  calls = 0
  /** Calls without a response, in a row. */
  #silences = 0
  /** Calls held back until `release`. */
  #reserved: number

  constructor(options: CheckOptions) {
    this.options = options
    this.#reserved = options.exhausts ? callsToExhaust(options.plan) : 0
  }

  get callsLeft(): number {
    return this.options.maxCalls - this.#reserved - this.calls
  }

  /** Makes the reserved calls available. */
  release(): void {
    this.#reserved = 0
  }

  /** Calls the service when the rate limit allows it, and once more after 429. Undefined without a response. */
  async call(request: CheckRequest): Promise<CheckedCall | undefined> {
    const { now } = this.options
    await this.#wait(pauseMs(this.standing, now()))
    const call = await this.callNow(request)
    if (call?.status !== 429) return call
    // Callers without a key have a quota of their own (A04). Without any time in the response, do not retry.
    const ms =
      readRetryAfter(call.headers['retry-after'], call.headers.date) ??
      pauseMs(readStanding(call, now()), now())
    if (ms === 0) return call
    await this.#wait(ms)
    return this.callNow(request)
  }

  /** Calls the service and ignores the rate limit. */
  async callNow(request: CheckRequest): Promise<CheckedCall | undefined> {
    const { ledger } = this
    const { send, judge, plan, maxCalls, now, onCall } = this.options
    if (this.callsLeft <= 0) throw new OutOfBudget(`--max-calls ${maxCalls} is used up`)
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
    const before = this.standing
    if (hasKey(request)) this.standing = readStanding(call, now()) ?? before
    const operation = await checkEveryResponse(call, { judge, plan, now: now(), before })
    if (operation !== undefined) this.seen.add(`${operation} ${call.status}`)
    return call
  }

  /** Calls the service and checks the status. Undefined if the status is another one. */
  async expect(status: number, request: CheckRequest, id: CheckId): Promise<CheckedCall | undefined> {
    const call = await this.call(request)
    call?.check(id, call.status === status, `the status is ${call.status}, not ${status}`)
    return call?.status === status ? call : undefined
  }

  async #wait(ms: number): Promise<void> {
    const { maxWaitMs, wait } = this.options
    if (ms > maxWaitMs)
      throw new OutOfBudget(`the rate limit resets in ${Math.ceil(ms / 1_000)} s, later than --max-wait`)
    if (ms > 0) await wait(ms)
  }
}
