import { policies } from '../../../judges/fleet/policy.ts'
import { instanceCounts, rates } from '../../../judges/fleet/read-fleet.ts'
import { flagGroup, type ValuesOf } from '../../arguments/flag.ts'
import { duration, numberOf, textOf } from '../../arguments/flag-values.ts'
import { reportFlags } from '../../arguments/report-flags.ts'
import { serveFlags } from '../../arguments/serve-flags.ts'

const fleet = flagGroup('The fleet:')
const options = flagGroup('Options:')

/** Whether a policy is a module of the user's. */
export const isModule = (policy: string): boolean => /[/\\]|\.[cm]?[jt]s$/.test(policy)

export const fleetFlags = {
  instances: fleet.optional({
    value: 'N',
    about: 'how many instances share the key',
    parse: numberOf(instanceCounts),
  }),
  demand: fleet.optional({
    value: 'RATE',
    about: 'the jobs of the whole fleet, such as 70/m; "3.5/m each" for each instance',
    parse: textOf(rates),
  }),
  for: fleet.optional({ ...duration, about: 'the length of the run on the virtual clock [24h]' }),
  plan: fleet.text({ value: 'PLAN', about: 'the plan of the key [free]' }),
  policy: fleet.texts({
    value: `NAME|FILE,…`,
    about: `what the instances do, or a module of yours: ${Object.keys(policies).join(', ')} [retry-after,pause,bucket-shared]`,
    isPath: isModule,
  }),
  scenario: fleet.text({ value: 'NAME|FILE', about: 'the service: its rules, limits, bans and events' }),
  fixtures: { ...serveFlags.fixtures, group: 'The fleet:' },
  baseline: options.path({ about: 'the output of an earlier --json: exit code 1 if a policy does worse' }),
  report: { ...reportFlags.report, group: 'Options:' },
  json: options.toggle({ about: 'print the figures as one line of JSON' }),
}

export type FleetValues = ValuesOf<typeof fleetFlags>
