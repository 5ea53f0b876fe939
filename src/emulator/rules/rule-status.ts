import type { Rule } from './rule.ts'

export interface RuleStatus {
  readonly rule: Rule
  /** Whether it was added by hand, and is not the scenario's. */
  readonly added: boolean
  /** Start of its time: milliseconds since the epoch, in the emulator's time. */
  readonly since: number
  /** Calls that matched it, by key. */
  readonly calls: Readonly<Record<string, number>>
  /** How often it acted. */
  readonly acted: number
  /** Switched off, or declared so: it matches no call until it is on. */
  readonly off?: true | undefined
}

/** A rule book as a plain value. */
export interface SavedRules {
  readonly seed: number
  readonly rules: readonly RuleStatus[]
}

/** Whether a rule has retired by `times` or `ttl`. Nothing schedules that. */
export function isRetired({ rule, since, acted }: Omit<RuleStatus, 'calls'>, at: number): boolean {
  const { times, ttlMs } = rule
  return (times !== undefined && acted >= times) || (ttlMs !== undefined && at >= since + ttlMs)
}
