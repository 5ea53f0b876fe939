import type { Ask } from './ask-plane.ts'
import type { RuleControls, RuleState } from './controls.ts'

export function ruleControls(ask: Ask): RuleControls {
  return {
    list: async () => (await ask<{ readonly rules: readonly RuleState[] }>('GET', '/rules')).rules,
    add: rule => ask<RuleState>('POST', '/rules', rule),
    remove: name => ask<RuleState>('DELETE', `/rules/${encodeURIComponent(name)}`),
  }
}
