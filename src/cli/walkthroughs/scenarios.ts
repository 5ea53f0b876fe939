import { type CommandGroup, command } from '../arguments/command.ts'
import { useScenario } from '../remote/plane-commands.ts'
import { checkFlags, fromFlags, listFlags, playFlags, showFlags } from './flags.ts'

export const scenarios: CommandGroup = {
  name: 'scenarios',
  about: 'Lists, shows, uses, validates and plays scenarios.',
  commands: [
    command({
      name: 'list',
      about: 'Lists the shipped scenarios.',
      flags: listFlags,
      notes: ['To serve a scenario: pet-mock --scenario NAME. To play it: pet-mock scenarios play NAME.'],
      load: async () => ({ run: (await import('./show-scenarios.ts')).list }),
    }),
    command({
      name: 'show',
      words: 'NAME|FILE',
      about: 'Shows a scenario with everything that it extends and all default values.',
      flags: showFlags,
      examples: [['$0 scenarios show ban > mine.yaml', 'a file to change']],
      notes: ['The output is a scenario file.'],
      load: async () => ({ run: (await import('./show-scenarios.ts')).show }),
    }),
    useScenario,
    command({
      name: 'validate',
      words: 'FILE…',
      about: 'Reports every mistake in scenario files, with line and column.',
      flags: checkFlags,
      examples: [['$0 scenarios validate scenarios/*.yaml', 'all files of a directory']],
      notes: ['Exit codes: 0 no mistakes, 2 mistakes or wrong usage.'],
      load: async () => ({ run: (await import('./show-scenarios.ts')).validate }),
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
    command({
      name: 'from',
      words: 'FILE.har|FILE.petbox',
      about: 'Turns an HTTP archive, or a recorded run, into a scenario with a walkthrough, and plays it.',
      flags: fromFlags,
      examples: [
        ['$0 scenarios from calls.har -o calls.yaml', 'an archive of a browser, of mitmproxy or of pet-mock'],
        [
          '$0 scenarios from calls.har --url https://staging.example/api -o calls.yaml',
          'with another base URL',
        ],
        [
          '$0 scenarios from run.petbox -o failed.yaml',
          'the run of a box; pet-mock box shorten makes it shorter',
        ],
      ],
      notes: [
        'Keys become pseudonyms. The scenario goes to stdout; what it leaves out, and each step that differs from the emulator, go to stderr.',
        'Exit codes: 0 the walkthrough passed, 1 a step differs or the file cannot be written, 2 wrong usage or a bad archive.',
      ],
      load: () => import('./from-har.ts'),
    }),
  ],
}
