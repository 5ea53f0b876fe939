import { flagGroup, one, right, type ValuesOf } from '../../arguments/flag.ts'
import { readDurationFlag } from '../../arguments/flag-values.ts'
import { reportFlags } from '../../arguments/report-flags.ts'
import { learnFlags, spendingFlags } from '../learn/flags.ts'

const options = flagGroup('Options:')

export const driftFlags = {
  key: learnFlags.key,
  profile: { ...learnFlags.profile, about: 'the profile to compare with [service.profile.yaml]' },
  ...spendingFlags,
  'max-age': options.flag<number>({
    value: 'DURATION',
    about: 'a line that nothing showed for longer is too old',
    fallback: 30 * 86_400_000,
    defaultText: '30d',
    read: one(readAge),
  }),
  update: options.toggle({ about: 'write what was seen to the profile' }),
  'fail-on': {
    ...reportFlags['fail-on'],
    about:
      'which lines lead to exit code 1: errors (changed), also warnings (contradicted, too-old), none, or those with this id; repeatable [error]',
  },
  report: reportFlags.report,
  json: options.toggle({ about: 'print the report as one line of JSON' }),
}

/** A duration, or days: `30d`. */
function readAge(text: string): ReturnType<typeof readDurationFlag> {
  const days = /^(\d{1,5})d$/.exec(text)?.[1]
  return days === undefined ? readDurationFlag(text) : right(Number(days) * 86_400_000)
}

export type DriftValues = ValuesOf<typeof driftFlags>
