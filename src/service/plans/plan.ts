/** How many calls a key may make in each window. */
export interface Quota {
  readonly minute: number
  readonly day: number
}

export function isSameQuota(one: Quota, other: Quota | undefined): boolean {
  return one.minute === other?.minute && one.day === other.day
}

/** Specification, "Rate limits by plan". Enterprise is "custom" there: these numbers are a placeholder (A11). */
export const shippedPlans = {
  free: { minute: 60, day: 1_000 },
  pro: { minute: 300, day: 10_000 },
  business: { minute: 1_000, day: 100_000 },
  enterprise: { minute: 5_000, day: 500_000 },
} as const satisfies Record<string, Quota>

/** `free, pro, business and enterprise`. */
export const planList = Object.keys(shippedPlans)
  .join(', ')
  .replace(/, (?=[^,]*$)/, ' and ')

export type PlanName = keyof typeof shippedPlans

/** The plans whose numbers the specification states: those of Enterprise are custom. */
export const specifiedPlans = (Object.keys(shippedPlans) as PlanName[]).filter(name => name !== 'enterprise')

/** A plan's name in a sentence: the specification's plans have a title. */
export function planTitle(name: string): string {
  return Object.hasOwn(shippedPlans, name) ? name.charAt(0).toUpperCase() + name.slice(1) : name
}
