import { suggest } from '../../base/text/did-you-mean.ts'
import { readClock } from '../../base/time/clock.ts'
import type { RuleStatus } from '../../emulator/rules/rule-book.ts'
import type { World } from '../../emulator/worlds/world.ts'
import type { Door } from '../../service/call/fault.ts'
import { showValue } from '../files/show.ts'
import { checkDoor } from '../scenario/checks/doors.ts'
import { checkRule } from '../scenario/checks/rules.ts'
import type { CommandOf } from '../scenario/file.ts'
import { settleRule } from '../scenario/settle-rules.ts'
import { type Intent, notFound, refuseField } from './intent.ts'

export function changeRules(
  world: World,
  command: CommandOf<'addRule' | 'changeRule' | 'deleteRule'>,
  now: number,
  door: Door | undefined,
): Intent {
  if (command.do !== 'addRule') {
    const { name } = command
    const known = find(world, name)
    if (known === undefined) {
      const names = world.rules.list().map(({ rule }) => rule.name)
      const others =
        names.length === 0 ? 'there are no rules' : `known are ${names.map(showValue).join(', ')}`
      return notFound(`there is no rule ${showValue(name)}${suggest(name, names) || `; ${others}`}`)
    }
    return () => {
      if (command.do === 'changeRule') world.rules.turn(name, command.on)
      else world.rules.remove(name)
      return { rule: find(world, name) ?? known }
    }
  }
  const problems = checkRule(command.rule, [], world.keys, world.scenario.plans)
  if (problems.length > 0) return refuseField('rule', problems)
  let number = world.rules.list().length + 1
  while (find(world, `rule-${number}`) !== undefined) number += 1
  const rule = settleRule(command.rule, command.rule.name ?? `rule-${number}`)
  const hidden = door === undefined ? [] : checkDoor(rule.effect, door, ['then'])
  if (hidden.length > 0) return refuseField('rule', hidden)
  return () => {
    world.rules.add(rule, readClock(world.clock, now))
    const added = find(world, rule.name)
    return added && { rule: added }
  }
}

function find(world: World, name: string): RuleStatus | undefined {
  return world.rules.list().find(({ rule }) => rule.name === name)
}
