import type { CheckId } from '../calls/checks.ts'
import type { CheckRun } from './check-run.ts'

/** One part of a run. Parts come by value: first what breaks clients. Rejects with OutOfBudget. */
export interface Part {
  readonly name: string
  /** The checks that only this part makes. */
  readonly makes: readonly CheckId[]
  readonly act: (run: CheckRun) => Promise<void>
  /** The flag that the part needs: it creates animals, or uses up the quota. */
  readonly needs?: '--allow-writes' | '--exhaust'
}
