import * as z from 'zod'
import { readClock } from '../../../base/time/clock.ts'
import { formatInstant } from '../../../base/time/instant.ts'
import { tellRule } from '../../../control/scenario/format-rule.ts'
import { ruleSchema } from '../../../control/scenario/schema/rules.ts'
import { isRetired, type RuleStatus } from '../../../emulator/rules/rule-book.ts'
import { changedWorld, command } from '../routing/command-route.ts'
import { json } from '../routing/replies.ts'
import { type Route, worldRoute } from '../routing/route.ts'
import { countView, instantView } from '../routing/shapes.ts'

const ruleView = z
  .strictObject({
    name: z.string().meta({ description: "The rule's name.", examples: ['outage'] }),
    rule: ruleSchema.meta({ description: 'The rule, as a scenario has it.' }),
    added: z.boolean().meta({ description: "Whether it was added later, and is not the scenario's." }),
    since: instantView('Where its time begins.'),
    retired: z.boolean().meta({ description: 'Whether it has acted as often, or lived as long, as it may.' }),
    acted: countView('How often it acted.'),
    calls: z
      .record(z.string(), z.int())
      .meta({ description: 'Calls that fitted it, of each key.', examples: [{ 'demo-free': 3 }] }),
  })
  .meta({ id: 'RuleStatus' })

function showRule(status: RuleStatus, at: number): object {
  const { rule, added, since, acted, calls } = status
  const retired = isRetired(status, at)
  return { name: rule.name, rule: tellRule(rule), added, since: formatInstant(since), retired, acted, calls }
}

function ruleCommand(
  name: 'addRule' | 'removeRule',
  method: Route['method'],
  path: string,
  about: string,
): Route {
  const isNew = name === 'addRule'
  return command({
    id: name,
    method,
    path,
    tag: 'Rules',
    do: name,
    ...(isNew && { wholeBody: 'rule' }),
    refusals: isNew ? [] : ['not_found'],
    answer: { about, schema: ruleView, status: isNew ? 201 : 200 },
    show: ({ rule, sandboxes }, { controls, now }) =>
      rule && showRule(rule, readClock(changedWorld(controls, sandboxes).clock, now)),
  })
}

export const ruleRoutes: readonly Route[] = [
  worldRoute({
    id: 'listRules',
    method: 'GET',
    path: '/rules',
    tag: 'Rules',
    about: 'Lists the rules in the order in which they are asked, and what each has done.',
    answer: { about: 'All rules.', schema: z.strictObject({ rules: z.array(ruleView) }) },
    serve: ({ rules, clock }, { now }) =>
      json({ rules: rules.list().map(status => showRule(status, readClock(clock, now))) }),
  }),
  ruleCommand('addRule', 'POST', '/rules', 'The new rule.'),
  ruleCommand('removeRule', 'DELETE', '/rules/{name}', 'The rule as it was.'),
]
