import type { CommandGroup } from '../arguments/command.ts'
import { flag, isOn, one, right } from '../arguments/flag.ts'
import { readDurationFlag, readUrl } from '../arguments/flag-values.ts'
import { serveFlags } from '../arguments/serve-flags.ts'

const how = 'How:'
const where = 'Against a server:'

const json = flag<boolean>({ value: '', group: how, about: 'for programs', fallback: false, read: isOn })
const fixtures = { ...serveFlags.fixtures, group: how }

/** The flags of `scenarios play`. */
export const playFlags = {
  all: flag<boolean>({ value: '', group: how, about: 'every shipped scenario', fallback: false, read: isOn }),
  fixtures,
  json: { ...json, about: 'a line of JSON for each story, for programs' },
  against: flag<URL | undefined>({
    value: 'URL',
    group: where,
    about: 'play against this server, such as http://127.0.0.1:7387/v1, and not in process',
    fallback: undefined,
    read: one(readUrl),
  }),
  key: flag<string | undefined>({
    value: 'KEY',
    group: where,
    about: "the API key to call with, in the place of the scenario's; its sandbox is for the whole story",
    fallback: undefined,
    read: one(right),
  }),
  'admin-token': flag<string | undefined>({
    ...serveFlags['admin-token'],
    group: where,
    about: 'the token that it was started with: its clock is moved, and changes are made, by its admin plane',
  }),
  'max-wait': flag<number>({
    value: 'DURATION',
    group: where,
    about: 'how long to wait in all, where the clock cannot be moved [2m]',
    fallback: 120_000,
    read: one(readDurationFlag),
  }),
}
export const listFlags = { json: { ...json, about: 'one line of JSON, for programs' } }
export const fileFlags = { fixtures }
export const checkFlags = {
  ...fileFlags,
  json: { ...json, about: 'a line of JSON for each file, for programs' },
}

/** What runs them is loaded when they run: a server that starts needs none of it. */
export const scenarios: CommandGroup = {
  name: 'scenarios',
  about: 'Lists, shows, checks and plays scenarios.',
  commands: [
    {
      name: 'list',
      about: 'Lists the shipped scenarios, and what each shows.',
      flags: listFlags,
      examples: [],
      notes: ['pet-mock --scenario NAME serves one, pet-mock scenarios play NAME acts out its story.'],
      run: async (...args) => (await import('./list-scenarios.ts')).run(...args),
    },
    {
      name: 'show',
      words: 'NAME|FILE',
      about: 'Shows a scenario with all that it extends and all that holds by default.',
      flags: fileFlags,
      examples: [['$0 scenarios show ban > mine.yaml', 'a file to change']],
      notes: ['What is shown is itself a scenario file.'],
      run: async (...args) => (await import('./show-scenario.ts')).run(...args),
    },
    {
      name: 'check',
      words: 'FILE…',
      about: 'Tells everything that is wrong with scenario files, each with its place.',
      flags: checkFlags,
      examples: [['$0 scenarios check scenarios/*.yaml', 'all of a directory']],
      notes: ['Exit codes: 0 all are fine, 2 something is wrong.'],
      run: async (...args) => (await import('./check-scenarios.ts')).run(...args),
    },
    {
      name: 'play',
      words: 'NAME|FILE…',
      about: "Acts out a scenario's story and tells where it goes otherwise than the scenario says.",
      flags: playFlags,
      examples: [
        ['$0 scenarios play ban', 'in process, on a clock that stands still until the story moves it'],
        ['$0 scenarios play mine.yaml ban', 'several, one after the other'],
        [
          '$0 scenarios play ban --against http://127.0.0.1:7387/v1',
          'a server that runs with --scenario ban',
        ],
      ],
      notes: [
        'A server that it is played against must be in the situation that the scenario describes. Where it has an admin plane, its clock is moved and changes are made there; else time is waited for, and a change ends the story.',
        'Exit codes: 0 all went as it is told, 1 something differed or could not be played, 2 wrong usage or a bad file.',
      ],
      run: async (...args) => (await import('./play-walkthrough.ts')).run(...args),
    },
  ],
}
