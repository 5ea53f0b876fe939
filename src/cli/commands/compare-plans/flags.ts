import { type CallerBy, callerWays } from '../../../judges/replay/wanted-calls.ts'
import { shippedPlans } from '../../../service/plans/plan.ts'
import { flagGroup, one, right, type ValuesOf } from '../../arguments/flag.ts'
import { readUrl, wordOf } from '../../arguments/flag-values.ts'
import { reportFlags } from '../../arguments/report-flags.ts'
import { serveFlags } from '../../arguments/serve-flags.ts'

const plans = flagGroup('Plans:')
const recording = flagGroup('The recording:')
const options = flagGroup('Options:')

/** What becomes of calls that repeat one that was refused when it was recorded. */
const retryChoices = ['keep', 'drop'] as const

export const replayFlags = {
  plans: plans.list({
    value: 'NAME,…',
    about: `the plans to replay at [${Object.keys(shippedPlans).join(',')}, and those of the scenario]`,
    parse: right,
  }),
  scenario: plans.text({ value: 'NAME|FILE', about: 'take plans, limits and bans from this scenario' }),
  fixtures: { ...serveFlags.fixtures, group: 'Plans:' },
  expect: plans.list({
    value: 'PLAN',
    about: 'exit with code 1 if this plan refuses a call; repeatable',
    parse: right,
  }),
  'caller-by': recording.flag<CallerBy>({
    value: callerWays.join('|'),
    about: 'what has a quota of its own: all calls together, each API key, or each connection',
    fallback: 'all',
    read: one(wordOf(callerWays)),
  }),
  retries: recording.flag<(typeof retryChoices)[number]>({
    value: retryChoices.join('|'),
    about: 'whether to make calls that repeat one that was refused when it was recorded',
    fallback: 'keep',
    read: one(wordOf(retryChoices)),
  }),
  url: recording.optional({
    variable: 'PET_MOCK_ARCHIVE_URL',
    value: 'URL',
    about: 'the base URL of the API in an archive [the one under /v1 with the most calls]',
    parse: readUrl,
  }),
  report: { ...reportFlags.report, group: 'Options:' },
  json: options.toggle({ about: 'print the report as one line of JSON' }),
  mask: { ...serveFlags.mask, group: 'Options:' },
}

export type ReplayValues = ValuesOf<typeof replayFlags>
