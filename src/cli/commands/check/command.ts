import { command } from '../../arguments/command.ts'
import { checkFlags } from './flags.ts'

export const check = command({
  name: 'check',
  words: '[URL]',
  about: 'Checks an implementation against the specification.',
  flags: checkFlags,
  examples: [
    ['$0 check http://127.0.0.1:7387/v1 --key demo-free', 'a running pet-mock'],
    [
      '$0 check https://staging.example/v1 --key "$KEY" --plan pro',
      'another implementation, without creating pets there',
    ],
    ['$0 exec -- pet-mock check --exhaust', 'the server of exec, with its limits'],
  ],
  notes: [
    'Each check names its source: the specification, the contract, an RFC, or an assumption of pet-mock. A broken assumption is only a note, except with --strict. Each failure shows the smallest request that causes it.',
    'A URL without a path gets /v1, the base path of the service, unless --openapi names another contract. What was not checked is listed, with the reason.',
    'When no calls are left, pet-mock waits for the limit to reset, and prints what it waits for. --max-time bounds the whole run. It exceeds a limit on purpose only with --exhaust. Without URL and --key, it reads PET_MOCK_URL and PET_MOCK_KEY, which pet-mock exec sets.',
    'Exit codes: 0 all checks pass, 1 a check fails, 2 wrong usage or a bad file, 3 the service cannot be reached.',
  ],
  load: () => import('./run.ts'),
})
