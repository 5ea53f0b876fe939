import type { EventCommand, KeyFields } from '../../../generated/scenario-fields.ts'
import type { Problem } from '../../fields/problem.ts'
import { type Path, showValue, unknownName } from '../../files/show.ts'
import { effectivePlans } from '../effective.ts'
import type { ScenarioFile } from '../file.ts'
import { banAfter, checkKeyState } from './key-state.ts'
import { checkRule } from './rules.ts'

/** Events must name keys and plans that exist by then, and change what can be changed. */
export function checkEvents(file: ScenarioFile, keys: ReadonlyMap<string, KeyFields>): readonly Problem[] {
  const known = new Map<string, unknown>(keys)
  return (file.events ?? []).flatMap(({ key, change }, index) => {
    const path = ['events', index]
    const problems = checkChange(change, [...path, 'change'], file, known)
    if (change.do === 'addKey') known.set(change.key, change)
    return key === undefined || known.has(key)
      ? problems
      : [{ path: [...path, 'key'], message: unknownName('key', key, [...known.keys()]) }, ...problems]
  })
}

function checkChange(
  change: EventCommand,
  path: Path,
  file: ScenarioFile,
  keys: ReadonlyMap<string, unknown>,
): readonly Problem[] {
  const plans = effectivePlans(file)
  if (change.do === 'addRule') return checkRule(change.rule, [...path, 'rule'], keys, plans)
  if (!('key' in change)) return []
  const problems: Problem[] = []
  const refuse = (field: string, message: string) => problems.push({ path: [...path, field], message })
  const isNew = change.do === 'addKey'
  if (isNew && keys.has(change.key)) refuse('key', `the key ${showValue(change.key)} already exists`)
  if (!isNew && !keys.has(change.key)) refuse('key', unknownName('key', change.key, [...keys.keys()]))
  if ('plan' in change && typeof change.plan === 'string' && !plans.has(change.plan))
    refuse('plan', unknownName('plan', change.plan, [...plans.keys()]))
  if (change.do === 'banKey' && file.bans === 'off') refuse('do', 'bans are off, so no key can be banned')
  const state = isNew ? checkKeyState(change, banAfter(file)) : []
  return [...problems, ...state.map(problem => ({ ...problem, path: [...path, ...problem.path] }))]
}
