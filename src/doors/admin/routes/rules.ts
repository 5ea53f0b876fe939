import { readClock } from '../../../base/time/clock.ts'
import { formatInstant } from '../../../base/time/instant.ts'
import { rule as ruleShape } from '../../../control/scenario/settings/rules.ts'
import { formatRule } from '../../../control/scenario/show.ts'
import { isRetired, type RuleStatus } from '../../../emulator/rules/rule-book.ts'
import type { World } from '../../../emulator/worlds/world.ts'
import { schemaOf } from '../description/openapi.ts'
import { json } from '../routing/replies.ts'
import { command, type Route, route } from '../routing/route.ts'
import * as view from '../routing/views.ts'

const shown = view.answerOf<RuleStatus & { readonly at: number }>('RuleStatus', {
  name: [view.text("The rule's name.", 'outage'), ({ rule }) => rule.name],
  rule: [
    schemaOf({ shape: ruleShape, about: 'The rule, as in a scenario.' }),
    ({ rule }) => formatRule(rule),
  ],
  added: [view.flag('Whether the rule was added to the running scenario.'), ({ added }) => added],
  since: [view.instant('When the rule started.'), ({ since }) => formatInstant(since)],
  on: [view.flag('Whether the rule can act; false: it was switched off.'), ({ off }) => off !== true],
  retired: [
    view.flag('Whether the rule has reached its `times` or its `ttl`.'),
    ({ at, ...status }) => isRetired(status, at),
  ],
  acted: [view.count('How many calls the rule acted on.'), ({ acted }) => acted],
  calls: [
    {
      ...view.of('object', 'Number of matching calls by key.', { 'demo-free': 3 }),
      additionalProperties: view.of('integer'),
    },
    ({ calls }) => calls,
  ],
})

export const ruleView = shown.schema

export function showRule(status: RuleStatus, { clock }: World, now: number) {
  return shown.show({ ...status, at: readClock(clock, now) })
}

const ruleAnswer = {
  schema: shown.schema,
  show: ({ rule }, { world, now }) => rule && showRule(rule, world, now),
} satisfies Partial<Parameters<typeof command>[0]>

export const ruleRoutes: readonly Route[] = [
  route({
    id: 'listRules',
    on: ['GET', '/rules'],
    about: 'Lists the rules in the order of their evaluation, with what each has done.',
    sandbox: 'one',
    answer: { about: 'All rules.', schema: view.object({ rules: view.list(shown.schema) }) },
    serve: ({ world, now }) =>
      json({ rules: world.rules.list().map(status => showRule(status, world, now)) }),
  }),
  command({
    do: 'addRule',
    on: ['POST', '/rules'],
    wholeBody: 'rule',
    about: 'The new rule.',
    ...ruleAnswer,
  }),
  command({ do: 'changeRule', on: ['PATCH', '/rules/{name}'], about: 'The changed rule.', ...ruleAnswer }),
  command({ do: 'deleteRule', on: ['DELETE', '/rules/{name}'], about: 'The deleted rule.', ...ruleAnswer }),
]
