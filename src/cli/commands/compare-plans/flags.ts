import { type CallerBy, callerWays } from '../../../judges/replay/wanted-calls.ts'
import { shippedPlans } from '../../../service/plans/plan.ts'
import { flagGroup, one, type ValuesOf } from '../../arguments/flag.ts'
import { archiveUrl, wordOf } from '../../arguments/flag-values.ts'
import { reportFlags } from '../../arguments/report-flags.ts'
import { serveFlags } from '../../arguments/serve-flags.ts'

const plans = flagGroup('Plans:')
const recording = flagGroup('The recording:')
const options = flagGroup('Options:')

/** What becomes of calls that repeat one that was refused when it was recorded. */
const retryChoices = ['keep', 'drop'] as const

export const replayFlags = {
  plans: plans.texts({
    value: 'NAME,…',
    about: `the plans to replay at [${Object.keys(shippedPlans).join(',')}, and those of the scenario]`,
  }),
  scenario: plans.text({ value: 'NAME|FILE', about: 'take plans, limits and bans from this scenario' }),
  fixtures: { ...serveFlags.fixtures, group: 'Plans:' },
  expect: plans.texts({ value: 'PLAN', about: 'exit with code 1 if this plan refuses a call; repeatable' }),
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
    ...archiveUrl,
    about: 'the base URL of the API in an archive [the one under /v1 with the most calls]',
  }),
  report: { ...reportFlags.report, group: 'Options:' },
  json: options.toggle({ about: 'print the report as one line of JSON' }),
  mask: { ...serveFlags.mask, group: 'Options:' },
}

export type ReplayValues = ValuesOf<typeof replayFlags>
