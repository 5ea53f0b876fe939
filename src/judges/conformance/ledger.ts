import { countIn } from '../../base/count-in.ts'
import { createUnjudged, reasonOf } from '../report/unjudged.ts'
import type { WholeAnswer } from '../walkthrough/target.ts'
import { type CheckedCall, readBody, type Standing } from './answers.ts'
import type { CheckId } from './checks.ts'
import { type CheckRequest, hasKey, operationOf, sizeOf } from './requests.ts'

/** A check that failed on one route, with the smallest request that shows it. */
export interface FailedCheck {
  readonly check: CheckId
  /** What was seen, as a sentence without its full stop. */
  readonly detail: string
  readonly request: CheckRequest
  /** The status of the response; undefined without one. */
  readonly status: number | undefined
  readonly count: number
}

export class Ledger {
  readonly checked = new Map<CheckId, number>()
  readonly #failed = new Map<string, FailedCheck>()
  /** The check and route of every failure, in order: a key of `#failed`. */
  readonly log: string[] = []
  /** Why the outcome of a check is open, although other calls passed it. The first reason holds. */
  readonly open = new Map<CheckId, string>()
  readonly failures = createUnjudged()
  readonly unmade = new Map<CheckId, string>()

  /** `reason` is a sentence without its full stop. */
  leaveOpen(check: CheckId, reason: string): void {
    if (!this.open.has(check)) this.open.set(check, reason)
  }

  /** pet-mock itself failed on a call, so these checks stay open. */
  addFailure(checks: readonly CheckId[], { request, status }: CheckedCall, error: unknown): void {
    const detail = reasonOf(error)
    this.failures.add({ what: `${request.method} ${request.target} → ${status}`, detail }, true)
    for (const check of checks) this.leaveOpen(check, detail)
  }

  /** The situation of a check did not come about: not met. What was planned and could not be finished is left open. */
  explain(check: CheckId, reason: string): void {
    if (!this.unmade.has(check)) this.unmade.set(check, reason)
  }

  /** Records that a check was made. `detail` is what was wrong, if anything. `isAgain`: with a request that it was made with. */
  record(
    check: CheckId,
    { request, status }: { readonly request: CheckRequest; readonly status: number | undefined },
    detail: string | undefined,
    isAgain = false,
  ): void {
    countIn(this.checked, check)
    if (detail === undefined) return
    const key = `${check} ${operationOf(request)}`
    const before = this.#failed.get(key)
    const count = (before?.count ?? 0) + 1
    // Shrinking moves from strange requests to plain ones: of two with equal size, the later one is better.
    const isSmaller = before === undefined || (!isAgain && sizeOf(request) <= sizeOf(before.request))
    this.#failed.set(key, isSmaller ? { check, detail, request, status, count } : { ...before, count })
    this.log.push(key)
  }

  isFailed(check: CheckId): boolean {
    return this.failed.some(failed => failed.check === check)
  }

  get failed(): readonly FailedCheck[] {
    return [...this.#failed.values()]
  }
}

export function checkedCall(request: CheckRequest, answer: WholeAnswer, ledger: Ledger): CheckedCall {
  const { status } = answer
  return {
    ...answer,
    ...readBody(answer.text),
    request,
    check: (id, passes, detail) => ledger.record(id, { request, status }, passes ? undefined : detail),
  }
}

/** A response to the key under test, with its rate limit. */
export interface Counted {
  readonly call: CheckedCall
  /** When the response came, in this machine's epoch milliseconds. */
  readonly at: number
  readonly standing: Standing
  /** The kinds of calls without the key since the response before. */
  readonly strangers: readonly string[]
  /** Whether a response without readable headers came in between. */
  readonly isAfterGap: boolean
}

/** The responses to the key under test, in order. */
export class History {
  readonly all: Counted[] = []
  #strangers: string[] = []
  #isAfterGap = false

  /** A call that got no answer may have been counted. */
  addGap(): void {
    this.#isAfterGap = true
  }

  add(call: CheckedCall, standing: Standing | undefined, at: number): void {
    if (!hasKey(call.request)) {
      this.#strangers.push(call.request.key === 'none' ? 'without a key' : 'with a wrong key')
      return
    }
    if (standing !== undefined)
      this.all.push({ call, at, standing, strangers: this.#strangers, isAfterGap: this.#isAfterGap })
    this.#isAfterGap = standing === undefined
    this.#strangers = []
  }
}
