import type { CheckId } from './checks.ts'
import { type CheckRequest, sizeOf } from './request.ts'

/** A check that failed on one route, with the smallest request that shows it. */
export interface FailedCheck {
  readonly check: CheckId
  /** What was seen, as a sentence without its full stop. */
  readonly detail: string
  readonly request: CheckRequest
  /** The status of the response; undefined without one. */
  readonly status: number | undefined
  /** How many calls showed it. */
  readonly count: number
}

/** What a run has checked and found. */
export class Ledger {
  /** How often each check was made. */
  readonly checked = new Map<CheckId, number>()
  readonly #failed = new Map<string, FailedCheck>()
  /** The check and route of every failure, in order: a key of `#failed`. */
  readonly log: string[] = []
  /** Why the outcome of a check is open, although other calls passed it. The first reason holds. */
  readonly open = new Map<CheckId, string>()
  /** Why a check could not be made. */
  readonly unmade = new Map<CheckId, string>()

  /** `reason` is a sentence without its full stop. */
  leaveOpen(check: CheckId, reason: string): void {
    if (!this.open.has(check)) this.open.set(check, reason)
  }

  /** The reason holds if no call makes the check. */
  explain(check: CheckId, reason: string): void {
    if (!this.unmade.has(check)) this.unmade.set(check, reason)
  }

  /** Records that a check was made. `detail` is what was wrong, if anything. */
  record(
    check: CheckId,
    { request, status }: { readonly request: CheckRequest; readonly status: number | undefined },
    detail: string | undefined,
  ): void {
    this.checked.set(check, (this.checked.get(check) ?? 0) + 1)
    if (detail === undefined) return
    const key = `${check} ${request.method} ${routeOf(request.target)}`
    const before = this.#failed.get(key)
    const count = (before?.count ?? 0) + 1
    // Shrinking moves from strange requests to plain ones: of two with equal size, the later one is better.
    const isSmaller = before === undefined || sizeOf(request) <= sizeOf(before.request)
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

/** `/pets/17?x` as `/pets/{}`: one fault shows on every id. */
export function routeOf(target: string): string {
  const path = target.split('?')[0] ?? ''
  return path.startsWith('/pets/') ? '/pets/{}' : path
}
