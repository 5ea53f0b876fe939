import { parseDuration } from '../../base/time/duration.ts'
import { parseInstant } from '../../base/time/instant.ts'
import type { Answer } from '../../library/client/ask-plane.ts'
import type { CommandGroup } from '../arguments/command.ts'
import { type FlagReading, flagGroup } from '../arguments/flag.ts'
import { readDurationFlag, readInstantText, readScale } from '../arguments/flag-values.ts'
import { formatPace } from '../terminal/quantities.ts'
import type { Session } from './server-command.ts'
import { planeCommand } from './server-command.ts'

const options = flagGroup('Options:')
const notes = [
  'Limits, bans, expiry and removal dates follow the clock at once. Only "pet-mock clock reset" and "pet-mock reset" move the clock back.',
]

const lines = ({ at, scale }: Answer<'getClock'>, { paint }: Pick<Session, 'paint'>) => {
  if (typeof at !== 'string' || typeof scale !== 'number') throw new TypeError('it has no time')
  return [`${paint('bold', at)}  ${formatPace({ scale })}`]
}

export const clock: CommandGroup = {
  name: 'clock',
  about: 'Shows, moves, freezes and resumes the clock.',
  commands: [
    planeCommand({
      name: 'show',
      isDefault: true,
      about: 'Shows the time on the clock, and whether it runs.',
      notes,
      calls: 'getClock',
      lines,
    }),
    planeCommand({
      name: 'advance',
      words: '[DURATION]',
      about: 'Moves the clock forward, by a duration or to an instant.',
      flags: {
        to: options.optional({
          value: 'ISO',
          about: 'an instant instead of a duration, such as 2030-12-05T00:00:00Z',
          parse: readInstantText,
        }),
      },
      examples: [
        ['$0 clock advance 60s', 'to the next minute window'],
        ['$0 clock advance --to 2030-12-05T00:00:00Z', 'to the removal of getPet'],
      ],
      notes,
      check: ([by], { to }) => checkAdvance(by, to),
      calls: 'advanceClock',
      fields: ({ words: [by], values: { to } }) => ({ by, to }),
      lines,
    }),
    planeCommand({
      name: 'freeze',
      words: '[ISO]',
      about: 'Stops the clock, now or at a later instant.',
      notes,
      check: ([at]) => (at === undefined ? [] : problemsOf('ISO', readInstantText(at))),
      calls: 'freezeClock',
      fields: ({ words: [at] }) => ({ at }),
      lines,
    }),
    planeCommand({
      name: 'resume',
      about: 'Lets the clock run.',
      flags: {
        scale: options.optional({
          value: 'N',
          about: 'the speed; at 30, a minute takes two seconds [1]',
          parse: readScale,
        }),
      },
      examples: [['$0 clock resume --scale 30', 'a minute takes two seconds']],
      notes,
      calls: 'resumeClock',
      fields: ({ values: { scale } }) => ({ scale }),
      lines,
    }),
    planeCommand({
      name: 'reset',
      about: 'Sets the clock back to the start of the scenario.',
      notes,
      calls: 'resetClock',
      lines,
    }),
  ],
}

function checkAdvance(by: string | undefined, to: string | undefined): readonly string[] {
  const expected = 'pet-mock clock advance 60s, or pet-mock clock advance --to 2030-12-05T00:00:00Z'
  if (by === undefined && to === undefined) return [`Expected: ${expected}`]
  if (by !== undefined && to !== undefined) return [`Give a duration or --to, not both: ${expected}`]
  if (by === undefined || parseDuration(by) !== undefined) return []
  if (/^\d+(\.\d+)?$/.test(by))
    return [`DURATION: ${by} has no unit. For seconds: pet-mock clock advance ${by}s`]
  if (parseInstant(by) !== undefined) return [`For an instant, use --to: pet-mock clock advance --to ${by}`]
  return problemsOf('DURATION', readDurationFlag(by))
}

function problemsOf(word: string, reading: FlagReading<unknown>): readonly string[] {
  return reading.ok ? [] : reading.problems.map(problem => `${word}: ${problem}`)
}
