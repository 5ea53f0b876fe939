import { wholeNumbers } from '../../../base/text/constraint.ts'
import { shippedPlans } from '../../../service/plans/plan.ts'
import { flag, one, optional, right, toggle, type ValuesOf } from '../../arguments/flag.ts'
import { numberOf, readDurationFlag, readToken, wordOf } from '../../arguments/flag-values.ts'
import { handedVariables } from '../../arguments/handed-variables.ts'
import { reportFlags } from '../../arguments/report-flags.ts'

const service = 'The service:'
const spending = 'Calls and waits:'
const how = 'Options:'

type Plan = keyof typeof shippedPlans
const plans = Object.keys(shippedPlans) as readonly Plan[]

export const checkFlags = {
  key: optional({
    // pet-mock exec sets it.
    variable: handedVariables.key,
    value: 'KEY',
    group: service,
    about: 'the API key to call with; no output shows it',
    parse: readToken,
  }),
  plan: flag<Plan>({
    value: 'PLAN',
    group: service,
    about: `the plan of the key: ${plans.join(', ')}`,
    fallback: 'free',
    read: one(wordOf(plans)),
  }),
  openapi: optional({
    value: 'FILE',
    group: service,
    about: "check against this OpenAPI file [pet-mock's openapi.yaml]",
    parse: right,
  }),
  'max-calls': optional({
    value: 'N',
    group: spending,
    about: 'the most calls to make [40 on the plan free, 200 on others; more with --exhaust]',
    parse: numberOf(wholeNumbers('a number of calls from 1 to 1000000', 1, 1_000_000)),
  }),
  'max-wait': flag<number>({
    value: 'DURATION',
    group: spending,
    about: 'the longest wait until calls are left again',
    fallback: 120_000,
    defaultText: '2m',
    read: one(readDurationFlag),
  }),
  'allow-writes': toggle({
    group: spending,
    about: 'create pets even on another machine; the API cannot delete them',
  }),
  exhaust: toggle({
    group: spending,
    about: 'use up the calls of a minute, to check the 429 responses and the ban after them',
  }),
  strict: toggle({ group: how, about: 'also fail on broken assumptions' }),
  seed: flag<number>({
    value: 'N',
    group: how,
    about: 'the seed of generated requests',
    fallback: 1,
    read: one(numberOf(wholeNumbers('a whole number from 0 to 2147483647', 0, 2 ** 31 - 1))),
  }),
  report: reportFlags.report,
  json: toggle({ group: how, about: 'print the report as one line of JSON' }),
}

export type CheckValues = ValuesOf<typeof checkFlags>
