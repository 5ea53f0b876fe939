import type { RuleFields } from '../../control/scenario/file.ts'

/** A rule and its counts. */
export interface RuleState {
  readonly name: string
  readonly rule: RuleFields
  /** False for a rule of the scenario. */
  readonly added: boolean
  readonly since: string
  /** False if it was switched off. */
  readonly on: boolean
  /** Whether the rule has reached its maximum count or age. */
  readonly retired: boolean
  readonly acted: number
  /** Matching calls by key. */
  readonly calls: Readonly<Record<string, number>>
}

export interface RuleControls {
  /** In order of precedence. */
  readonly list: () => Promise<readonly RuleState[]>
  /** Adds a rule before all others. It replaces a rule of the same name. */
  readonly add: (rule: RuleFields) => Promise<RuleState>
  /** Switches a rule on or off. It keeps its place, its counts and its time. */
  readonly turn: (name: string, on: boolean) => Promise<RuleState>
  /** Resolves with the removed rule. */
  readonly remove: (name: string) => Promise<RuleState>
}
