import { shippedPlans } from '../../service/plans/plan.ts'

/** The default of --max-calls, without --exhaust. */
export function usualCalls(plan: string): number {
  return plan === 'free' ? 40 : 200
}

/** The calls that --exhaust needs if no new window begins meanwhile. */
export function callsToExhaust(plan: string): number {
  return 10 + (Object.hasOwn(shippedPlans, plan) ? shippedPlans[plan as keyof typeof shippedPlans].minute : 0)
}
