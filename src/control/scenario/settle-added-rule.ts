import type { World } from '../../emulator/worlds/world.ts'
import type { SettleRule } from '../change/rules.ts'
import { about } from '../files/show.ts'
import { checkRule } from './checks/rules.ts'
import type { RuleFields, ScenarioFile } from './file.ts'
import { ruleShape } from './objects/rule-object.ts'
import { settleRule } from './settle-rules.ts'

/** A rule that is added to a world later: it is checked against the keys and plans that the world has by then. */
export const settleAddedRule: SettleRule = (written, world) => {
  const fields = written as RuleFields
  const ranges = ruleShape([], written)
  const objections = ranges.length > 0 ? ranges : checkRule(fields, [], asFile(world), noFixtures)
  if (objections.length > 0)
    return { problems: objections.map(({ path, message }) => about(['rule', ...path], message)) }
  return { rule: settleRule(fields, fields.name ?? freeName(world)) }
}

const noFixtures = { pets: [], keys: {}, categories: [], orders: [] }

function asFile({ keys, scenario }: World): ScenarioFile {
  return {
    keys: Object.fromEntries(Array.from(keys.values(), ({ text, plan }) => [text, { plan }])),
    plans: Object.fromEntries(scenario.plans),
  }
}

/** As a scenario's rules without a name are called by their place, the next one that is free. */
function freeName({ rules }: World): string {
  const taken = new Set(rules.list().map(({ rule }) => rule.name))
  let number = taken.size + 1
  while (taken.has(`rule-${number}`)) number += 1
  return `rule-${number}`
}
