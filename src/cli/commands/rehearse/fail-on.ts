import type { Rehearsal } from '../../../judges/rehearsal/rehearsal.ts'
import type { FailOn } from '../../../judges/report/finding.ts'
import type { Invocation } from '../../arguments/command.ts'
import type { RehearseValues } from './flags.ts'

/** What a situation expects, changed by --fail-on: its level replaces the situation's, and its ids come first. */
export function withFailOn(
  rehearsal: Rehearsal,
  { values, given }: Pick<Invocation<RehearseValues>, 'values' | 'given'>,
): Rehearsal {
  const { level, ids }: FailOn = values['fail-on']
  if (!given.has('fail-on')) return rehearsal
  const named = (fails: boolean) => [...ids].flatMap(([id, does]) => (does === fails ? [id] : []))
  const without = (list: readonly string[]) => list.filter(id => !ids.has(id))
  return {
    ...rehearsal,
    // Ids alone leave the level as it is.
    failOn: ids.size > 0 && level === 'error' ? rehearsal.failOn : level,
    allow: [...without(rehearsal.allow), ...named(false)],
    forbid: [...without(rehearsal.forbid), ...named(true)],
  }
}
