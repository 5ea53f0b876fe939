import { shippedPlans } from '../../service/plans/plan.ts'

/** Calls that a run makes at most, if nobody says otherwise. */
export function usualCalls(plan: string): number {
  return plan === 'free' ? 40 : 200
}

/** Calls that it takes to exhaust a minute's quota and see what follows, if no new window opens meanwhile. */
export function callsToExhaust(plan: string): number {
  return 10 + (Object.hasOwn(shippedPlans, plan) ? shippedPlans[plan as keyof typeof shippedPlans].minute : 0)
}
