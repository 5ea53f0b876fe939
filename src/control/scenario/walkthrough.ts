import type { CallStep, Expectation, StepFields } from '../../generated/scenario-fields.ts'
import type { Snapshot } from '../snapshot/saved.ts'

export type { CallStep, Expectation } from '../../generated/scenario-fields.ts'

/** One step of a walkthrough: a call, time that passes, a change from outside, or only a note. */
export type Step = StepFields<Snapshot>

/** A value, true for any value, or null for no such header. */
export type HeaderExpectation = NonNullable<Expectation['headers']>[string]

/** How often a step makes its call. */
export function timesOf({ repeat, parallel }: CallStep): number {
  return parallel ?? repeat ?? 1
}
