import { wholeNumbers } from '../../../base/text/constraint.ts'
import { shippedPlans } from '../../../service/plans/plan.ts'
import { flag, one, optional, right, toggle, type ValuesOf } from '../../arguments/flag.ts'
import { numberOf, readDurationFlag, readToken, wordOf } from '../../arguments/flag-values.ts'
import { handedVariables } from '../../arguments/handed-variables.ts'
import { reportFlags } from '../../arguments/report-flags.ts'

const service = 'The service:'
const spending = 'What it may cost:'
const how = 'How:'

type Plan = keyof typeof shippedPlans
const plans = Object.keys(shippedPlans) as readonly Plan[]

export const checkFlags = {
  key: optional({
    // Below `pet-mock exec` it is that one's key.
    variable: handedVariables.key,
    value: 'KEY',
    group: service,
    about: 'the API key to call with; nothing that is written shows it',
    parse: readToken,
  }),
  plan: flag<Plan>({
    value: 'PLAN',
    group: service,
    about: `the plan of that key: ${plans.join(', ')}`,
    fallback: 'free',
    read: one(wordOf(plans)),
  }),
  openapi: optional({
    value: 'FILE',
    group: service,
    about: 'the contract to hold it against, an OpenAPI description [the one of pet-mock]',
    parse: right,
  }),
  'max-calls': optional({
    value: 'N',
    group: spending,
    about: 'how many calls to make at most [40 on the plan free, else 200; more with --exhaust]',
    parse: numberOf(wholeNumbers('a number of calls from 0 to 1000000', 0, 1_000_000)),
  }),
  'max-wait': flag<number>({
    value: 'DURATION',
    group: spending,
    about: 'the longest wait for a window to reset',
    fallback: 120_000,
    defaultText: '2m',
    read: one(readDurationFlag),
  }),
  'allow-writes': toggle({
    group: spending,
    about: 'make animals elsewhere than on this machine, too: nobody can delete them again',
  }),
  exhaust: toggle({
    group: spending,
    about: "spend what is left of the minute's quota, to see 429 and what follows it",
  }),
  strict: toggle({
    group: how,
    about: 'take what pet-mock assumes for rules, too',
  }),
  seed: flag<number>({
    value: 'N',
    group: how,
    about: 'what generated requests come from: the same seed, the same requests',
    fallback: 1,
    read: one(numberOf(wholeNumbers('a whole number from 0 to 2147483647', 0, 2 ** 31 - 1))),
  }),
  report: reportFlags.report,
  json: toggle({
    group: how,
    about: 'the report as JSON in a line, for programs',
  }),
}

export type CheckValues = ValuesOf<typeof checkFlags>
