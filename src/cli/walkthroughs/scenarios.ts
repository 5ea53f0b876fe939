import { type CommandGroup, command } from '../arguments/command.ts'
import { checkFlags, fileFlags, listFlags, playFlags } from './flags.ts'

export const scenarios: CommandGroup = {
  name: 'scenarios',
  about: 'Lists, shows, checks and plays scenarios.',
  commands: [
    command({
      name: 'list',
      about: 'Lists the shipped scenarios.',
      flags: listFlags,
      notes: ['To serve a scenario: pet-mock --scenario NAME. To play it: pet-mock scenarios play NAME.'],
      load: () => import('./list-scenarios.ts'),
    }),
    command({
      name: 'show',
      words: 'NAME|FILE',
      about: 'Shows a scenario with everything that it extends and all default values.',
      flags: fileFlags,
      examples: [['$0 scenarios show ban > mine.yaml', 'a file to change']],
      notes: ['The output is a scenario file.'],
      load: () => import('./show-scenario.ts'),
    }),
    command({
      name: 'check',
      words: 'FILE…',
      about: 'Reports every mistake in scenario files, with line and column.',
      flags: checkFlags,
      examples: [['$0 scenarios check scenarios/*.yaml', 'all files of a directory']],
      notes: ['Exit codes: 0 no mistakes, 2 mistakes or wrong usage.'],
      load: () => import('./check-scenarios.ts'),
    }),
    command({
      name: 'play',
      words: '[NAME|FILE…]',
      about: 'Plays the walkthrough of a scenario, and reports each step that differs from what it expects.',
      flags: playFlags,
      examples: [
        ['$0 scenarios play ban', 'in process, on a frozen clock'],
        ['$0 scenarios play mine.yaml ban', 'several scenarios'],
        ['$0 scenarios play ban --against http://127.0.0.1:7387/v1', 'a server that runs --scenario ban'],
      ],
      notes: [
        'For --against, start the server with the same scenario, and make no calls before. pet-mock uses the admin plane of the server to move its clock and to change it, and resets the clock at the end. On a server without an admin plane, pet-mock waits in real time, and stops at the first step that changes the server.',
        'Exit codes: 0 passed, 1 a step differs or was not played, 2 wrong usage or a bad file.',
      ],
      load: () => import('./play-scenarios.ts'),
    }),
  ],
}
