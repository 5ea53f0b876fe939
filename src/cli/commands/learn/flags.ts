import { flagGroup, one, right, type ValuesOf } from '../../arguments/flag.ts'
import { archiveUrl, readDurationFlag } from '../../arguments/flag-values.ts'
import { reportFlags } from '../../arguments/report-flags.ts'
import { checkFlags } from '../check/flags.ts'

const service = flagGroup('The service:')
const spending = flagGroup('Calls and waits:')
const options = flagGroup('Options:')

/** What `learn` and `drift` may do. Without a flag, they only read. */
export const spendingFlags = {
  'allow-writes': spending.toggle({
    about: 'create at most three pets, which the API cannot delete, and send six invalid bodies',
  }),
  exhaust: spending.toggle({
    about: 'use up the calls of one minute, make one refused call, and wait for two resets',
  }),
  'own-key-may-be-banned': spending.toggle({
    about: 'make at most 20 refused calls, one a second, until the key is banned',
  }),
  'dry-run': spending.toggle({ about: 'print the plan and its cost, and make no call' }),
}

export const usualProfile = 'service.profile.yaml'

export const learnFlags = {
  key: checkFlags.key,
  profile: service.path({ writes: true, about: 'the profile to write, or to add to [service.profile.yaml]' }),
  url: service.optional({
    ...archiveUrl,
    about: 'the base URL of the service in recordings; a journal or a log does not name it',
  }),
  ...spendingFlags,
  json: options.toggle({ about: 'print the result as one line of JSON' }),
}

export type LearnValues = ValuesOf<typeof learnFlags>

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
