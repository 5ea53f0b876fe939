import type { World } from '../../../emulator/worlds/world.ts'
import type { SettleRule } from '../../change/rules.ts'
import { check } from '../../fields/check.ts'
import { about } from '../../files/show.ts'
import { checkRule } from '../checks/rules.ts'
import type { RuleFields, ScenarioFile } from '../file.ts'
import { rule } from '../settings/rules.ts'
import { settleRule } from '../settle-rules.ts'

/** Settles a rule that is added to a running world, whose keys and plans it is checked against. */
export const settleAddedRule: SettleRule = (written, world) => {
  const fields = written as RuleFields
  const wrong = check(rule, written)
  const problems = wrong.length > 0 ? wrong : checkRule(fields, [], asFile(world), noFixtures)
  if (problems.length > 0)
    return { problems: problems.map(({ path, message }) => about(['rule', ...path], message)) }
  return { rule: settleRule(fields, fields.name ?? freeName(world)) }
}

const noFixtures = { pets: [], keys: {}, categories: [], orders: [] }

function asFile({ keys, scenario }: World): ScenarioFile {
  return {
    keys: Object.fromEntries(Array.from(keys.values(), ({ text, plan }) => [text, { plan }])),
    plans: Object.fromEntries(scenario.plans),
  }
}

/** The next free name of the form rule-N. */
function freeName({ rules }: World): string {
  const taken = new Set(rules.list().map(({ rule }) => rule.name))
  let number = taken.size + 1
  while (taken.has(`rule-${number}`)) number += 1
  return `rule-${number}`
}
