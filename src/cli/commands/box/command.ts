import { type CommandGroup, command } from '../../arguments/command.ts'
import { saveBox } from '../../remote/plane-commands.ts'
import { exportFlags, openFlags, playFlags, readFlags, shortenFlags, showFlags } from './flags.ts'

export const box: CommandGroup = {
  name: 'box',
  about: 'Shows, plays and opens the recording of a run.',
  commands: [
    command({
      name: 'show',
      words: 'FILE',
      about: 'Prints a recorded run, with a line and a reason for each call.',
      flags: showFlags,
      examples: [
        ['$0 box show run.petbox', 'the whole run'],
        ['$0 box show run.petbox --json', 'for programs'],
      ],
      notes: ['Exit codes: 0 shown, 2 wrong usage or a bad file.'],
      check: () => [],
      load: async () => ({ run: (await import('./read.ts')).show }),
    }),
    command({
      name: 'play',
      words: 'FILE',
      about: 'Makes the calls of a recorded run again, and compares the responses.',
      flags: playFlags,
      examples: [
        ['$0 box play run.petbox', 'after an update, or on another machine'],
        [
          '$0 box play run.petbox --from 31 --set plan=pro',
          'what if the key had the plan Pro from call 31 on?',
        ],
      ],
      notes: [
        'With --from, one of --set, --rule and --profile makes a change in the sandbox of that call. It prints the first response that differs from the same run without the change, and how many do. The exit code is then 0 or 2.',
        'It needs no network, and no time passes. With another version of pet-mock than the one that recorded the run, it lists each response that differs.',
        'Exit codes: 0 all responses are the same, 1 one differs, 2 wrong usage or a bad file.',
      ],
      check: () => [],
      load: async () => ({ run: (await import('./read.ts')).play }),
    }),
    command({
      name: 'open',
      words: 'FILE',
      about: 'Serves the worlds of a recorded run as they were before a call.',
      flags: openFlags,
      examples: [
        ['$0 box open run.petbox --at 37', 'before call 37, for a client of yours'],
        ['$0 box open run.petbox --at worker-3:12', 'before request 12 of the sandbox worker-3'],
        ['$0 box open run.petbox --as key-1-0a1b2c3d=my-key', 'for a client that sends my-key'],
      ],
      notes: [
        'The clock stands still at the instant of that call. pet-mock clock resume lets it run.',
        'A box has no keys but the shipped ones. It has names in their place, which are keys of this server.',
        'Exit codes: 0 stopped, 2 wrong usage or a bad file, 3 the server cannot start.',
      ],
      check: () => [],
      load: () => import('./open.ts'),
    }),
    command({
      name: 'diff',
      words: 'GREEN RED',
      about: 'Compares two recorded runs, and says what differs first and why.',
      flags: readFlags,
      examples: [['$0 box diff green.petbox red.petbox', 'the run that passed, and the one that failed']],
      notes: [
        'Calls are paired by method, target, key and body, not by their number. Instants, waits and the calls left are no difference by themselves.',
        'Exit codes: 0 no difference, 1 a difference, 2 wrong usage or a bad file.',
      ],
      check: () => [],
      load: async () => ({ run: (await import('./read.ts')).diff }),
    }),
    command({
      name: 'shorten',
      words: 'FILE',
      about: 'Finds the fewest calls of a recorded run that still give its finding.',
      flags: shortenFlags,
      examples: [['$0 box shorten run.petbox -o short.petbox', 'a box with these calls alone']],
      notes: [
        'It takes the shortest start of the run that gives the finding, and then leaves out calls until each one is needed.',
        'Exit codes: 0 shortened, 1 the run does not give the finding or the file cannot be written, 2 wrong usage or a bad file.',
      ],
      check: () => [],
      load: async () => ({ run: (await import('./read.ts')).shortenRun }),
    }),
    command({
      name: 'export',
      words: 'FILE',
      about: 'Writes a recorded run as a page that opens without a server.',
      flags: exportFlags,
      examples: [['$0 box export run.petbox --html run.html', 'to attach to a ticket']],
      notes: [
        'The page is the dashboard of box open: it shows each call and the worlds before it, and takes calls and changes. It needs no network.',
        'Exit codes: 0 written, 1 the page cannot be written, 2 wrong usage or a bad file.',
      ],
      check: ({ values: { html } }) =>
        html === undefined ? ['--html FILE is missing: it names the page'] : [],
      load: () => import('./export.ts'),
    }),
    saveBox,
  ],
}
