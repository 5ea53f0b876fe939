import { command } from '../../arguments/command.ts'
import { proxyFlags } from './flags.ts'

export const proxy = command({
  name: 'proxy',
  words: '[URL]',
  about: 'Forwards calls to a real service, and judges both sides.',
  flags: proxyFlags,
  examples: [
    ['$0 proxy https://staging.example/v1', 'for a client that calls http://127.0.0.1:7388/v1'],
    ['$0 proxy http://127.0.0.1:7387/v1 --report flight.html', 'with a report that has a chart of the calls'],
    [
      '$0 proxy https://staging.example/v1 --rules storm.yaml',
      'with delays, faults and responses of your rules',
    ],
    ['$0 proxy https://staging.example/v1 --record calls.yaml', 'and writes the traffic as a walkthrough'],
  ],
  notes: [
    'The proxy passes calls and responses on unchanged, as they arrive. Only --rules, --rewrite-links and --cors change them. Ctrl+C stops it. It then prints its findings about the clients and the service, and writes the reports.',
    'All output masks API keys and other secrets, and no file contains them.',
    'Exit codes: 0 no findings that --fail-on names, 1 such findings or a recording that differs from the emulator, 2 wrong usage or a bad file, 3 the proxy cannot listen.',
  ],
  load: () => import('./run.ts'),
})
