import { wholeNumbers } from '../../../base/text/constraint.ts'
import { shippedPlans } from '../../../service/plans/plan.ts'
import { flagGroup, one, type ValuesOf } from '../../arguments/flag.ts'
import { duration, numberOf, readToken, wordOf } from '../../arguments/flag-values.ts'
import { reportFlags } from '../../arguments/report-flags.ts'
import { serveFlags } from '../../arguments/serve-flags.ts'

const service = flagGroup('The service:')
const spending = flagGroup('Calls and waits:')
const options = flagGroup('Options:')

type Plan = keyof typeof shippedPlans
const plans = Object.keys(shippedPlans) as readonly Plan[]

export const checkFlags = {
  key: service.optional({
    // pet-mock exec sets it.
    value: 'KEY',
    about: 'the API key to call with; no output shows it',
    isSecret: true,
    parse: readToken,
  }),
  plan: service.flag<Plan>({
    value: 'PLAN',
    about: `the plan of the key: ${plans.join(', ')}`,
    fallback: 'free',
    read: one(wordOf(plans)),
  }),
  openapi: service.text({
    value: 'FILE',
    about: "check against this OpenAPI file [pet-mock's openapi.yaml]",
  }),
  'max-calls': spending.optional({
    value: 'N',
    about: 'the maximum number of calls [60 on the plan free, 200 on others; more with --exhaust]',
    parse: numberOf(wholeNumbers('a number of calls from 1 to 1000000', 1, 1_000_000)),
  }),
  'max-time': spending.optional({
    ...duration,
    about: 'the longest time of the run, with all waits [5m; 10m with --exhaust]',
  }),
  'allow-writes': spending.toggle({
    about: 'create pets even on another machine; the API cannot delete them',
  }),
  exhaust: spending.toggle({
    about: 'use up the calls of a minute twice, to check 429, Retry-After and the reset',
  }),
  strict: options.toggle({ about: 'also fail on broken assumptions' }),
  seed: options.flag<number>({
    value: 'N',
    about: 'the seed of generated requests',
    fallback: 1,
    read: one(numberOf(wholeNumbers('a whole number from 0 to 2147483647', 0, 2 ** 31 - 1))),
  }),
  mask: { ...serveFlags.mask, group: 'Options:' },
  ...reportFlags,
  verbose: options.toggle({ about: 'list the checks that passed, too' }),
  json: options.toggle({ about: 'print the report as one line of JSON' }),
}

export type CheckValues = ValuesOf<typeof checkFlags>
