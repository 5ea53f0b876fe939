import { quotaOf } from './calls/call-budget.ts'
import type { CheckId } from './calls/checks.ts'
import type { FailedCheck } from './calls/ledger.ts'
import { judgeCounts } from './limits/counts.ts'
import { exhaust } from './limits/exhaust.ts'
import { type NotChecked, notChecked } from './not-checked.ts'
import { authentication } from './parts/authentication.ts'
import { creating, names } from './parts/create-pet.ts'
import { forms, refusals } from './parts/create-refusals.ts'
import { filter } from './parts/filter.ts'
import { generatedReads, generatedWrites } from './parts/generated-inputs.ts'
import { animals } from './parts/get-pet.ts'
import { firstList, pageSize } from './parts/list-pets.ts'
import { orders, queries, routes } from './parts/other-routes.ts'
import { filteredPages, pages } from './parts/pages.ts'
import type { CheckOptions } from './run/check-options.ts'
import { CheckRun } from './run/check-run.ts'
import { OnlyReserve, OutOfBudget } from './run/out-of-budget.ts'
import type { Part } from './run/part.ts'

export interface CheckOutcome {
  readonly calls: number
  readonly failed: readonly FailedCheck[]
  /** How often each check was made. */
  readonly checked: ReadonlyMap<CheckId, number>
  /** Every check that was not made, or not judged. */
  readonly notChecked: readonly NotChecked[]
  /** Documented responses that came, and those that did not: `listPets 200`. */
  readonly seen: readonly string[]
  readonly unseen: readonly string[]
  /** What the run skipped, and why. */
  readonly leftOut: readonly string[]
}

/** By value: first what breaks clients, last where services may differ. */
const parts = [
  ...[firstList, authentication, pageSize, filter, pages, animals, creating, refusals, filteredPages, names],
  ...[queries, orders, forms, routes, generatedReads, generatedWrites],
  exhaust,
]

/** Checks a service. The same seed sends the same requests. */
export async function checkService(options: CheckOptions): Promise<CheckOutcome> {
  const { judge, exhausts, allowsWrites, plan } = options
  const run = new CheckRun(options)
  const leftOut: string[] = []
  if (!allowsWrites)
    leftOut.push('createPet: to test it, add --allow-writes (the new animals cannot be deleted)')
  if (!exhausts) leftOut.push('429: to test it, add --exhaust (uses up the quota)')
  const isAllowed = ({ needs }: Part) =>
    needs === undefined || (needs === '--exhaust' ? exhausts : allowsWrites)
  const ended = await act(run, parts.filter(isAllowed))
  if (ended !== undefined) {
    const names = ended.parts.map(({ name }) => name)
    const isAll = names[0] === firstList.name
    leftOut.push(`${isAll ? 'everything' : names.join(', ')}: incomplete, because ${ended.reason}`)
  }
  judgeCounts(run.history.all, quotaOf(plan), run.ledger)
  const documented = judge.operations.flatMap(({ id, statuses }) =>
    statuses.filter(status => status !== 'default').map(status => `${id} ${status}`),
  )
  return {
    calls: run.calls,
    failed: run.ledger.failed,
    checked: run.ledger.checked,
    notChecked: notChecked(run, parts, ended),
    seen: documented.filter(response => run.seen.has(response)),
    unseen: documented.filter(response => !run.seen.has(response)),
    leftOut,
  }
}

interface Ended {
  readonly reason: string
  readonly parts: readonly Part[]
}

/** Acts until no calls or no time is left: then says why, and which parts are incomplete. */
async function act(run: CheckRun, all: readonly Part[]): Promise<Ended | undefined> {
  let ended: Ended | undefined
  for (const part of all) {
    if (ended !== undefined && part !== exhaust) continue
    try {
      await part.act(run)
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error
      const isLast = !(error instanceof OnlyReserve)
      const parts = all.slice(all.indexOf(part)).filter(part => isLast || part !== exhaust)
      ended = { reason: error.message, parts: [...(ended?.parts ?? []), ...parts] }
      if (isLast) return ended
    }
  }
  return ended
}
