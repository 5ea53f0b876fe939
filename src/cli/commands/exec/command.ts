import { command } from '../../arguments/command.ts'
import { execFlags } from './flags.ts'

export const exec = command({
  name: 'exec',
  words: 'COMMAND…',
  runsAnother: true,
  about: 'Runs a command, such as a test suite, with a server of its own.',
  flags: execFlags,
  examples: [
    ['$0 exec -- npm test', 'with PET_MOCK_URL, PET_MOCK_KEY and PET_MOCK_ADMIN in its environment'],
    ['$0 exec --env API_URL=url --env API_KEY=key -- npm test', 'also under other names'],
    [
      '$0 exec --report conduct.html --report conduct.xml -- npm test',
      'with reports on the conduct of the tests',
    ],
    ['$0 exec -s outage --log-format pretty -- npx playwright test', 'with a log of the calls on stderr'],
  ],
  notes: [
    'The command starts when the server is ready. It owns the terminal, and gets SIGINT, SIGTERM and SIGHUP. Everything after -- belongs to it.',
    'When it has ended, pet-mock prints findings about its conduct on stderr: calls before the end of Retry-After, bans, calls of deprecated operations and more. --contract adds what breaks openapi.yaml.',
    "Exit codes: the command's own; 1 if that is 0 and --fail-on names a finding; 128 plus the signal number if a signal ended it; 127 if it was not found, 126 if it could not be run; 2 wrong usage or a bad file, 3 no server.",
    'The flags of serve also read their environment variables. A flag overrides its variable.',
  ],
  load: () => import('./run.ts'),
})
