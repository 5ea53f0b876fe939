import { command } from '../../arguments/command.ts'
import { searchFlags } from './flags.ts'

export const search = command({
  name: 'search',
  words: 'COMMAND…',
  runsAnother: true,
  about: 'Searches for the smallest situation that breaks a client.',
  flags: searchFlags,
  examples: [
    ['$0 search -- node client.js', 'writes breaks.yaml if a situation breaks client.js'],
    ['$0 search --finding early-retry -- npm test', 'a situation in which the tests retry too early'],
    ['$0 search --skip malformed --for 5m -- npm test', 'no broken JSON, and five minutes at most'],
    ['$0 exec --scenario breaks.yaml -- node client.js', 'what was found, again'],
  ],
  notes: [
    'pet-mock runs COMMAND in the usual service first. Then it draws situations that the service can put a client into: few calls left, a ban, another form of Retry-After, a clock that is off, a call that fails. Each run has a server of its own and finds it as with exec. A client fails if it exits with a code other than 0, hangs, or has a finding that --fail-on names.',
    'When COMMAND fails, pet-mock makes the situation smaller until no part can go, repeats it (--confirm) and writes it as a scenario with a walkthrough. A failure that does not come again is listed as flaky.',
    'The same seed draws the same situations. --seed and --path, as printed, repeat a search.',
    'Exit codes: 0 nothing was found, 1 a situation breaks COMMAND, or it fails in the usual service, 2 wrong usage or a bad file, 3 no server can start, 126 COMMAND cannot be run, 127 COMMAND was not found.',
  ],
  load: () => import('./run.ts'),
})
