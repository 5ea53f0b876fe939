import { formatDuration } from '../../base/time/duration.ts'
import type { Rule, When } from '../../emulator/rules/rule.ts'
import { isRetired, type RuleStatus } from '../../emulator/rules/rule-status.ts'
import type { World } from '../../emulator/worlds/world.ts'
import type { EventFields, RuleFields } from '../../generated/scenario-fields.ts'
import { formatRule } from '../scenario/format-rule.ts'

/** The rules that can still act, with what is left of their time. Their counts of calls start anew. */
export function ruleFields({ rules }: World, at: number): readonly RuleFields[] {
  return rules.list().flatMap(status => {
    const isOver = status.off === true || isRetired(status, at)
    const left = isOver ? undefined : remainder(status, at)
    return left === undefined ? [] : [formatRule(left)]
  })
}

function remainder({ rule, since, acted }: RuleStatus, at: number): Rule | undefined {
  const elapsed = at - since
  const { times, ttlMs } = rule
  const when = later(rule.when, elapsed)
  if (when === undefined) return undefined
  return {
    ...rule,
    when,
    times: times === undefined ? undefined : times - acted,
    ttlMs: ttlMs === undefined ? undefined : ttlMs - elapsed,
  }
}

/** Undefined: it holds no more. */
function later(when: When, elapsed: number): When | undefined {
  const { afterMs, between } = when
  if (between !== undefined && between[1] <= elapsed) return undefined
  return {
    ...when,
    afterMs: afterMs === undefined || afterMs <= elapsed ? undefined : afterMs - elapsed,
    between: between && [Math.max(0, between[0] - elapsed), between[1] - elapsed],
  }
}

/** The events that have not happened, with the calls and the time that are left until they do. */
export function eventFields({ events, scenario }: World, at: number): readonly EventFields[] {
  const states = events.save()
  return scenario.events.flatMap(({ after, key, change }, index) => {
    const { since = at, calls = 0, happened = false } = states[index] ?? {}
    if (happened) return []
    const left = 'calls' in after ? after.calls - calls : formatDuration(after.ms - (at - since))
    return [{ after: typeof left === 'number' && left < 1 ? '0s' : left, ...(key && { key }), change }]
  })
}
