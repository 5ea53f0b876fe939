import { type Quota, shippedPlans } from '../../service/plans/plan.ts'

/** Undefined for a plan that the specification does not have. */
export function quotaOf(plan: string): Quota | undefined {
  return new Map<string, Quota>(Object.entries(shippedPlans)).get(plan)
}

/** The default of --max-calls, without --exhaust. */
export function usualCalls(plan: string): number {
  return plan === 'free' ? 40 : 200
}

/** The calls that --exhaust needs if no new window begins meanwhile. */
export function callsToExhaust(plan: string): number {
  return 10 + (quotaOf(plan)?.minute ?? 0)
}
