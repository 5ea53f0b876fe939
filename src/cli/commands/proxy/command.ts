import { command } from '../../arguments/command.ts'
import { proxyFlags } from './flags.ts'

export const proxy = command({
  name: 'proxy',
  words: '[URL]',
  about: 'Forwards calls to a real service, and judges the service and its clients.',
  flags: proxyFlags,
  examples: [
    ['$0 proxy https://staging.example/v1', 'point the client at http://127.0.0.1:7388/v1'],
    ['$0 proxy http://127.0.0.1:7387/v1 --report flight.html', 'with a chart of the calls'],
  ],
  notes: [
    'Calls and answers pass unchanged, in pieces, as they come. Ctrl+C ends the proxy: it then prints its findings on conduct and contract, and writes the reports.',
    'Keys are masked in all output, and stored nowhere.',
    'Exit codes: 0 fine, 1 findings that --fail-on names, 2 wrong usage or a bad file, 3 cannot listen.',
  ],
  load: () => import('./run.ts'),
})
