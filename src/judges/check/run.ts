import { authentication } from './authentication.ts'
import { type CheckOptions, CheckRun, OutOfBudget } from './check-run.ts'
import type { CheckId } from './checks.ts'
import { creating } from './create-pet.ts'
import { exhaust } from './exhaust.ts'
import { generatedReads, generatedWrites } from './generated-inputs.ts'
import { animals } from './get-pet.ts'
import type { FailedCheck } from './ledger.ts'
import { lists } from './list-pets.ts'
import { routes } from './other-routes.ts'

export interface CheckOutcome {
  readonly calls: number
  readonly failed: readonly FailedCheck[]
  /** How often each check was made. */
  readonly checked: ReadonlyMap<CheckId, number>
  /** Documented responses that came, and those that did not: `listPets 200`. */
  readonly seen: readonly string[]
  readonly unseen: readonly string[]
  /** What the run skipped, and why. */
  readonly leftOut: readonly string[]
}

const parts = [authentication, lists, animals, creating, routes, generatedReads, generatedWrites]

/** Checks a service. The same seed sends the same requests. */
export async function checkService(options: CheckOptions): Promise<CheckOutcome> {
  const { judge, exhausts, allowsWrites } = options
  const run = new CheckRun(options)
  const leftOut: string[] = []
  if (!allowsWrites)
    leftOut.push('createPet: to test it, add --allow-writes (the new animals cannot be deleted)')
  if (!exhausts) leftOut.push('429: to test it, add --exhaust (uses up the quota)')
  const all = [...parts, ...(exhausts ? [exhaust] : [])].filter(({ writes }) => allowsWrites || !writes)
  for (const part of all) {
    try {
      await part.act(run)
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error
      const names = all.slice(all.indexOf(part)).map(({ name }) => name)
      leftOut.push(`${names.join(', ')}: incomplete, because ${error.message}`)
      break
    }
  }
  const documented = judge.operations.flatMap(({ id, statuses }) => statuses.map(status => `${id} ${status}`))
  return {
    calls: run.calls,
    failed: run.ledger.failed,
    checked: run.ledger.checked,
    seen: documented.filter(response => run.seen.has(response)),
    unseen: documented.filter(response => !run.seen.has(response)),
    leftOut,
  }
}
