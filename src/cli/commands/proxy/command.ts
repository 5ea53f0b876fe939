import { command } from '../../arguments/command.ts'
import { proxyFlags } from './flags.ts'

export const proxy = command({
  name: 'proxy',
  words: '[URL]',
  about: 'Passes calls on to a real service, and says how both sides kept the rules.',
  flags: proxyFlags,
  examples: [
    ['$0 proxy https://staging.example/v1', 'the client is pointed at http://127.0.0.1:7388/v1'],
    ['$0 proxy http://127.0.0.1:7387/v1 --report flight.html', 'with a picture of the flight'],
  ],
  notes: [
    'Calls and answers pass as they are, in pieces, as they come. Ctrl+C ends it: then the verdicts on conduct and contract are told, and reports are written.',
    'Keys are masked in all that it tells, and kept nowhere.',
    'Exit codes: 0 fine, 1 with findings that --fail-on names, 2 wrong usage or a bad file, 3 cannot listen.',
  ],
  load: () => import('./run.ts'),
})
