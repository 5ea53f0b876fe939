import { command } from '../../arguments/command.ts'
import { checkFlags } from './flags.ts'

export const check = command({
  name: 'check',
  words: '[URL]',
  about: 'Checks an implementation of the service, and reports what it breaks.',
  flags: checkFlags,
  examples: [
    ['$0 check http://127.0.0.1:7387/v1 --key demo-free', 'pet-mock itself'],
    [
      '$0 check https://staging.example/v1 --key "$KEY" --plan pro',
      'another implementation; creates no pets there',
    ],
    ['$0 exec -- pet-mock check --exhaust', 'the server of exec, with its limits'],
  ],
  notes: [
    'Each check names its source: the specification, the contract, an RFC, or an assumption of pet-mock. A broken assumption is a note without --strict. A failure comes with the smallest request that shows it.',
    'It waits when no calls are left, and exceeds no limit on purpose without --exhaust. Without URL and --key, it uses PET_MOCK_URL and PET_MOCK_KEY, which pet-mock exec sets.',
    'Exit codes: 0 all checks pass, 1 a check fails, 2 wrong usage or a bad file, 3 the service cannot be reached.',
  ],
  load: () => import('./run.ts'),
})
