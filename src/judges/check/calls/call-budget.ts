import { type Quota, shippedPlans } from '../../../service/plans/plan.ts'

/** Undefined for a plan that the specification does not have. */
export function quotaOf(plan: string): Quota | undefined {
  return new Map<string, Quota>(Object.entries(shippedPlans)).get(plan)
}

/** The default of --max-calls. */
export function usualCalls(plan: string, exhausts: boolean): number {
  return (plan === 'free' ? minuteOf(plan) : 200) + (exhausts ? twice(plan) : 0)
}

/** The calls to hold back for --exhaust: it uses up the quota twice, if --max-calls allows it. */
export function reservedCalls(plan: string, maxCalls: number): number {
  return Math.max(callsToExhaust(plan), Math.min(twice(plan), maxCalls - usualCalls(plan, false)))
}

/** The calls that --exhaust needs at least, if no new window begins meanwhile. */
export function callsToExhaust(plan: string): number {
  return 10 + minuteOf(plan)
}

function twice(plan: string): number {
  return 2 * minuteOf(plan) + 20
}

function minuteOf(plan: string): number {
  return quotaOf(plan)?.minute ?? 0
}
