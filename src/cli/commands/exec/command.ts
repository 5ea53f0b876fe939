import { command } from '../../arguments/command.ts'
import { execFlags } from './flags.ts'

export const exec = command({
  name: 'exec',
  words: 'COMMAND…',
  runsAnother: true,
  about: 'Runs a command, such as a test suite, with a server of its own.',
  flags: execFlags,
  readsProject: true,
  examples: [
    ['$0 exec -- npm test', 'tests that read PET_MOCK_URL and PET_MOCK_KEY'],
    ['$0 exec --env API_URL=url --env API_KEY=key -- npm test', 'tests that read API_URL and API_KEY'],
    [
      '$0 exec --report conduct.html --report conduct.xml -- npm test',
      'two reports on the calls of the tests',
    ],
    [
      '$0 exec -s outage --log-format pretty -- npx playwright test',
      'another scenario, and a log of the calls on stderr',
    ],
  ],
  notes: [
    'The command starts when the server is ready. It finds the base URL, the API key and the URL of the admin plane in PET_MOCK_URL, PET_MOCK_KEY and PET_MOCK_ADMIN. pet-mock passes SIGINT, SIGTERM and SIGHUP on to it. Everything after -- belongs to it.',
    'When the command ends, pet-mock prints findings about its calls on stderr: calls before the end of Retry-After, bans, calls of deprecated operations and more. With --contract, findings also name each breach of openapi.yaml or --openapi.',
    'pet-mock exits with the exit code of the command, or with 128 plus the number of the signal that ended it. If that code is 0, findings that --fail-on names make it 1. If the command does not start: 2 wrong usage or a bad file, 3 the server cannot start, 126 the command cannot be run, 127 the command was not found.',
    'Each flag overrides an environment variable, such as PET_MOCK_SCENARIO. The variable overrides the project file pet-mock.yaml. pet-mock does not pass the variables of flags on to the command.',
  ],
  load: () => import('./run.ts'),
})
