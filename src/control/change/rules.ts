import { suggest } from '../../base/text/did-you-mean.ts'
import { readClock } from '../../base/time/clock.ts'
import type { Rule } from '../../emulator/rules/rule.ts'
import type { RuleStatus } from '../../emulator/rules/rule-book.ts'
import type { World } from '../../emulator/worlds/world.ts'
import { showValue } from '../files/show.ts'
import type { RuleCommand } from './command.ts'
import { type Intent, notFound, refuseCommand } from './intent.ts'

/** Turns the rule of a command into a rule of a world, or lists its problems. */
export type SettleRule = (
  rule: unknown,
  world: World,
) => { readonly rule: Rule } | { readonly problems: readonly string[] }

export function changeRules(world: World, command: RuleCommand, settle: SettleRule, now: number): Intent {
  if (command.do === 'removeRule') return removeRule(world, command.name)
  const settled = settle(command.rule, world)
  if ('problems' in settled) return refuseCommand(...settled.problems)
  return () => {
    world.rules.add(settled.rule, readClock(world.clock, now))
    const rule = find(world, settled.rule.name)
    return rule && { rule }
  }
}

function removeRule(world: World, name: string): Intent {
  const rule = find(world, name)
  if (rule !== undefined) {
    return () => {
      world.rules.remove(name)
      return { rule }
    }
  }
  const names = world.rules.list().map(status => status.rule.name)
  const others =
    names.length === 0 ? '; there are no rules' : `; known are ${names.map(showValue).join(', ')}`
  return notFound(`there is no rule ${showValue(name)}${suggest(name, names) || others}`)
}

function find(world: World, name: string): RuleStatus | undefined {
  return world.rules.list().find(({ rule }) => rule.name === name)
}
