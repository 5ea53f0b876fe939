import { shippedPlans } from '../../../service/plans/plan.ts'
import type { Command } from '../../arguments/command.ts'
import { handedVariables } from '../../arguments/exec-flags.ts'
import { flag, isOn, one, right, type ValuesOf } from '../../arguments/flag.ts'
import { readDurationFlag, readToken, readWord, wholeNumber } from '../../arguments/flag-values.ts'
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

export const check: Command = {
  name: 'check',
  words: 'URL',
  about: 'Runs against an implementation of the service, and tells which rules it breaks.',
  flags: checkFlags,
  examples: [
    ['$0 check http://127.0.0.1:7387/v1 --key demo-free', 'pet-mock itself'],
    ['$0 check https://staging.example/v1 --key "$KEY" --plan pro', 'another one; it makes no animals there'],
    ['$0 exec -- pet-mock check --exhaust', 'the server of exec, limits included'],
  ],
  notes: [
    'Each rule names its source: the specification, the contract, an RFC, or an assumption of pet-mock, which is only a note without --strict. A failure is shown by the smallest request that shows it.',
    'It waits while the service says that no calls are left, and is never refused on purpose without --exhaust.',
    'Exit codes: 0 all rules are kept, 1 some are not, 2 wrong usage or a bad file, 3 the service cannot be reached.',
  ],
  run: async (...args) => (await import('./run.ts')).run(...args),
}
