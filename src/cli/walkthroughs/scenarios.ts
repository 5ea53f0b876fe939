import { type CommandGroup, command } from '../arguments/command.ts'
import { checkFlags, fileFlags, listFlags, playFlags } from './flags.ts'

export const scenarios: CommandGroup = {
  name: 'scenarios',
  about: 'Lists, shows, checks and plays scenarios.',
  commands: [
    command({
      name: 'list',
      about: 'Lists the shipped scenarios, and what each shows.',
      flags: listFlags,
      examples: [],
      notes: ['pet-mock --scenario NAME serves one, pet-mock scenarios play NAME acts out its story.'],
      load: () => import('./list-scenarios.ts'),
    }),
    command({
      name: 'show',
      words: 'NAME|FILE',
      about: 'Shows a scenario with all that it extends and all that holds by default.',
      flags: fileFlags,
      examples: [['$0 scenarios show ban > mine.yaml', 'a file to change']],
      notes: ['What is shown is itself a scenario file.'],
      load: () => import('./show-scenario.ts'),
    }),
    command({
      name: 'check',
      words: 'FILE…',
      about: 'Tells everything that is wrong with scenario files, each with its place.',
      flags: checkFlags,
      examples: [['$0 scenarios check scenarios/*.yaml', 'all of a directory']],
      notes: ['Exit codes: 0 all are fine, 2 something is wrong.'],
      load: () => import('./check-scenarios.ts'),
    }),
    command({
      name: 'play',
      words: '[NAME|FILE…]',
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
      load: () => import('./play-walkthrough.ts'),
    }),
  ],
}
