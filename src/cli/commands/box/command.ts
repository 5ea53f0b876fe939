import { type CommandGroup, command } from '../../arguments/command.ts'
import { saveBox } from '../../remote/plane-commands.ts'
import { openFlags, playFlags, showFlags } from './flags.ts'

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
      examples: [['$0 box play run.petbox', 'after an update, or on another machine']],
      notes: [
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
    saveBox,
  ],
}
