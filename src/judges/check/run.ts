import type { Judge } from '../contract/judge.ts'
import type { Answer } from '../walkthrough/target.ts'
import { authentication } from './authentication.ts'
import { callsToExhaust } from './call-budget.ts'
import type { RuleId } from './checks.ts'
import { creating } from './create-pet.ts'
import { exhaust } from './exhaust.ts'
import { generatedReads, generatedWrites } from './generated-inputs.ts'
import { animals } from './get-pet.ts'
import { type Breakage, Ledger } from './ledger.ts'
import { lists } from './list-pets.ts'
import { routes } from './other-routes.ts'
import type { CheckRequest } from './request.ts'
import type { Part, Run } from './run-parts.ts'
import { OutOfBudget, Service } from './service.ts'

export interface CheckOptions {
  /** Makes a call; rejects when there is no service at all. */
  readonly send: (request: CheckRequest) => Promise<Answer>
  readonly judge: Judge
  readonly plan: string
  readonly basePath: string
  readonly maxCalls: number
  readonly maxWaitMs: number
  readonly allowsWrites: boolean
  readonly exhausts: boolean
  readonly seed: number
  readonly now: () => number
  readonly wait: (ms: number) => Promise<void>
  readonly onCall: (calls: number) => void
}

export interface CheckOutcome {
  readonly calls: number
  readonly broken: readonly Breakage[]
  /** How often each rule was looked at. */
  readonly checked: ReadonlyMap<RuleId, number>
  /** Of the answers that the contract documents, as `listPets 200`: which were seen and which were not. */
  readonly seen: readonly string[]
  readonly unseen: readonly string[]
  /** What was not done, and why. */
  readonly leftOut: readonly string[]
}

const parts: readonly Part[] = [
  authentication,
  lists,
  animals,
  creating,
  routes,
  generatedReads,
  generatedWrites,
]

/** A conformance run: the same requests for the same seed, against any implementation. */
export async function checkService(options: CheckOptions): Promise<CheckOutcome> {
  const { judge, exhausts, allowsWrites, plan } = options
  const ledger = new Ledger()
  const service = new Service({ ...options, ledger, reserved: exhausts ? callsToExhaust(plan) : 0 })
  const run: Run = { ...options, service, ledger, operations: judge.operations, pets: [] }
  const leftOut: string[] = []
  if (!allowsWrites) leftOut.push('createPet: animals cannot be deleted again; --allow-writes makes some')
  if (!exhausts) leftOut.push('429: --exhaust spends what is left of the quota to see it')
  const all = [...parts, ...(exhausts ? [exhaust] : [])].filter(({ writes }) => allowsWrites || !writes)
  for (const part of all) {
    try {
      await part.act(run)
    } catch (error) {
      if (!(error instanceof OutOfBudget)) throw error
      const names = all.slice(all.indexOf(part)).map(({ name }) => name)
      leftOut.push(`${names.join(', ')}: not all, since ${error.message}`)
      break
    }
  }
  const documented = judge.operations.flatMap(({ id, statuses }) => statuses.map(status => `${id} ${status}`))
  return {
    calls: service.calls,
    broken: ledger.broken,
    checked: ledger.checked,
    seen: documented.filter(answer => service.seen.has(answer)),
    unseen: documented.filter(answer => !service.seen.has(answer)),
    leftOut,
  }
}
