import { command } from '../../arguments/command.ts'
import { execFlags } from './flags.ts'

export const exec = command({
  name: 'exec',
  words: 'COMMAND…',
  runsAnother: true,
  about: 'Runs a command, such as a test suite, with a server that is there as long as it runs.',
  flags: execFlags,
  examples: [
    [
      '$0 exec -- npm test',
      'PET_MOCK_URL, PET_MOCK_KEY and PET_MOCK_ADMIN tell the tests where, and as whom',
    ],
    ['$0 exec --env API_URL=url --env API_KEY=key -- npm test', 'the same by names of your own, too'],
    [
      '$0 exec --report conduct.html --report conduct.xml -- npm test',
      'with a verdict on how the tests called',
    ],
    ['$0 exec -s outage --log-format pretty -- npx playwright test', 'with each call told on stderr'],
  ],
  notes: [
    'The command begins when the server is ready, has the terminal to itself, and gets SIGINT, SIGTERM and SIGHUP passed on. What is behind -- belongs to it, untouched.',
    'When it has ended, findings about its conduct are told on stderr: calls that came before Retry-After was over, bans, operations that will be removed, and more; with --contract also what breaks openapi.yaml.',
    "Exit codes: the command's own, and 1 where that is 0 and --fail-on names a finding; 128 and the signal's number when it dies by one; 127 when it is not found, 126 when it cannot be run; 2 wrong usage or a bad file, 3 no server: then it is not run.",
    'The flags of serve have their environment twins, which they overrule.',
  ],
  load: () => import('./run.ts'),
})
