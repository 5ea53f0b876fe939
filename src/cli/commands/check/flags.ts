import { shippedPlans } from '../../../service/plans/plan.ts'
import { flag, isOn, one, right, type ValuesOf } from '../../arguments/flag.ts'
import { readDurationFlag, readToken, readWord, wholeNumber } from '../../arguments/flag-values.ts'
import { handedVariables } from '../../arguments/handed-variables.ts'
import { reportFlags } from '../../arguments/report-flags.ts'

const service = 'The service:'
const spending = 'What it may cost:'
const how = 'How:'

type Plan = keyof typeof shippedPlans
const plans = Object.keys(shippedPlans) as readonly Plan[]

export const checkFlags = {
  key: flag<string | undefined>({
    // Below `pet-mock exec` it is that one's key.
    variable: handedVariables.key,
    value: 'KEY',
    group: service,
    about: 'the API key to call with; nothing that is written shows it',
    fallback: undefined,
    read: one(readToken),
  }),
  plan: flag<Plan>({
    value: 'PLAN',
    group: service,
    about: `the plan of that key: ${plans.join(', ')} [free]`,
    fallback: 'free',
    read: one(text => readWord(text, plans)),
  }),
  openapi: flag<string | undefined>({
    value: 'FILE',
    group: service,
    about: 'the contract to hold it against, an OpenAPI description [the one of pet-mock]',
    fallback: undefined,
    read: one(right),
  }),
  'max-calls': flag<number | undefined>({
    value: 'N',
    group: spending,
    about: 'how many calls to make at most [40 on the plan free, else 200; more with --exhaust]',
    fallback: undefined,
    read: one(wholeNumber('a number of calls', 1_000_000)),
  }),
  'max-wait': flag<number>({
    value: 'DURATION',
    group: spending,
    about: 'the longest wait for a window to reset [2m]',
    fallback: 120_000,
    read: one(readDurationFlag),
  }),
  'allow-writes': flag<boolean>({
    value: '',
    group: spending,
    about: 'make animals elsewhere than on this machine, too: nobody can delete them again',
    fallback: false,
    read: isOn,
  }),
  exhaust: flag<boolean>({
    value: '',
    group: spending,
    about: "spend what is left of the minute's quota, to see 429 and what follows it",
    fallback: false,
    read: isOn,
  }),
  strict: flag<boolean>({
    value: '',
    group: how,
    about: 'take what pet-mock assumes for rules, too',
    fallback: false,
    read: isOn,
  }),
  seed: flag<number>({
    value: 'N',
    group: how,
    about: 'what generated requests come from: the same seed, the same requests [1]',
    fallback: 1,
    read: one(wholeNumber('a whole number', 2 ** 31 - 1)),
  }),
  report: reportFlags.report,
  json: flag<boolean>({
    value: '',
    group: how,
    about: 'the report as JSON in a line, for programs',
    fallback: false,
    read: isOn,
  }),
}

export type CheckValues = ValuesOf<typeof checkFlags>
