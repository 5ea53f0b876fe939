import type { Command, CommandGroup } from '../arguments/command.ts'
import { flag, one } from '../arguments/flag.ts'
import { readInstantFlag, readScale } from '../arguments/flag-values.ts'
import { serverFlags } from '../arguments/server-flags.ts'

const how = 'How:'

export const advanceFlags = {
  to: flag<string | undefined>({
    value: 'ISO',
    group: how,
    about: 'to an instant, such as 2030-12-05T00:00:00Z, and not by a duration',
    fallback: undefined,
    read: one(readInstantFlag),
  }),
  ...serverFlags,
}

export const resumeFlags = {
  scale: flag<number | undefined>({
    value: 'N',
    group: how,
    about: 'how many times as fast as real time: at 30, a minute passes in two seconds [1]',
    fallback: undefined,
    read: one(readScale),
  }),
  ...serverFlags,
}

const load = () => import('./clock-commands.ts')
const notes = [
  'Windows, bans, expiry and the removal of operations follow the clock at once. Back it goes by a reset only.',
]

const show: Command = {
  name: 'show',
  isDefault: true,
  about: 'Shows what the clock says, and how it goes.',
  flags: serverFlags,
  examples: [],
  notes,
  run: async (...args) => (await load()).show(...args),
}

export const clock: CommandGroup = {
  name: 'clock',
  about: 'Shows and moves the clock of a running server.',
  commands: [
    show,
    {
      name: 'advance',
      words: '[DURATION]',
      about: 'Moves the clock forward, by a duration or to an instant.',
      flags: advanceFlags,
      examples: [
        ['$0 clock advance 60s', 'to the next minute window'],
        ['$0 clock advance --to 2030-12-05T00:00:00Z', 'to the day on which an operation is removed'],
      ],
      notes,
      run: async (...args) => (await load()).advance(...args),
    },
    {
      name: 'freeze',
      words: '[ISO]',
      about: 'Stops the clock where it stands, or at a later instant.',
      flags: serverFlags,
      examples: [],
      notes,
      run: async (...args) => (await load()).freeze(...args),
    },
    {
      name: 'resume',
      about: 'Lets the clock run.',
      flags: resumeFlags,
      examples: [['$0 clock resume --scale 30', 'a minute in two seconds']],
      notes,
      run: async (...args) => (await load()).resume(...args),
    },
    {
      name: 'reset',
      about: 'Puts the clock back to where the scenario starts it.',
      flags: serverFlags,
      examples: [],
      notes,
      run: async (...args) => (await load()).reset(...args),
    },
  ],
}
