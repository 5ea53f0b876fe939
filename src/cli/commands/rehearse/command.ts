import { command } from '../../arguments/command.ts'
import { rehearseFlags } from './flags.ts'

export const rehearse = command({
  name: 'rehearse',
  words: 'COMMAND…',
  runsAnother: true,
  about: 'Runs a client in every situation, and reports how it behaved.',
  flags: rehearseFlags,
  readsProject: true,
  examples: [
    ['$0 rehearse -- npm test', 'all shipped scenarios'],
    ['$0 rehearse --only outage,ban --repeat 3 -- node sync.js', 'two of them, three times each'],
    ['$0 rehearse --add scenarios/ --report rehearsal.html -- npm test', 'also your own, with a report'],
    ['$0 rehearse --write-baseline known.json -- npm test', 'what fails today, for --baseline known.json'],
    ['$0 rehearse --instances 12 -- node worker.js', 'twelve workers that share a key'],
    ['$0 rehearse --sunset -- npm test', 'the end of deprecated operations'],
    ['$0 rehearse --search -- node client.js', 'writes breaks.yaml if a drawn situation breaks client.js'],
    [
      '$0 rehearse --search --finding early-retry -- npm test',
      'a situation in which the tests retry too early',
    ],
    [
      '$0 rehearse --search --skip malformed --max-time 5m -- npm test',
      'no broken JSON, and five minutes at most',
    ],
  ],
  notes: [
    'A situation is a scenario. The command runs once in each, with a server of its own and the variables of pet-mock exec: PET_MOCK_URL, PET_MOCK_KEY, PET_MOCK_ADMIN, and the name of the situation in PET_MOCK_SITUATION. Its input is empty, and pet-mock keeps the end of its output.',
    'The calm run comes first, in the situation free-plan. If it fails, no situation is rehearsed.',
    'A client passes a situation if its exit code, its conduct and its recovery are as the field rehearsal of the scenario expects. A run that does not end within --timeout has hung, which no scenario expects. A situation is not met if no response shows it, such as a limit that no call reached. Clocks run fast, so that waits of a minute take two seconds; they start with the first request.',
    'With --instances 12, twelve of the command run at once in each situation, after one alone. They share the key, and each has its own address in PET_MOCK_URL and its number, from 1, in PET_MOCK_INSTANCE. A situation also fails if one of them does.',
    'With --search, pet-mock draws situations after the calm run: few calls left, a ban, another form of Retry-After, a clock that is off, a call that fails. A client fails if it exits with a code other than 0, hangs (10 s and ten times the calm run without --timeout), or has a finding that --fail-on names. Then pet-mock makes the situation smaller until no part can go, repeats it (--confirm) and writes it as a scenario with a walkthrough, for exec --scenario. A failure that does not come again is listed as flaky. --seed and --path, as printed, repeat a search.',
    'Exit codes: 0 every situation passed or was not met, or the search found nothing, 1 one failed, none was met, the search found one, or the calm run failed, 2 wrong usage or a bad file, 3 a server cannot start, 126 the command cannot be run, 127 the command was not found.',
  ],
  load: () => import('./run.ts'),
})
