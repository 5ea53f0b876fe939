import { command } from '../../arguments/command.ts'
import { checkFlags } from './flags.ts'

export const check = command({
  name: 'check',
  words: '[URL]',
  about: 'Runs against an implementation of the service, and tells which rules it breaks.',
  flags: checkFlags,
  examples: [
    ['$0 check http://127.0.0.1:7387/v1 --key demo-free', 'pet-mock itself'],
    ['$0 check https://staging.example/v1 --key "$KEY" --plan pro', 'another one; it makes no animals there'],
    ['$0 exec -- pet-mock check --exhaust', 'the server of exec, limits included'],
  ],
  notes: [
    'Each rule names its source: the specification, the contract, an RFC, or an assumption of pet-mock, which is only a note without --strict. A failure is shown by the smallest request that shows it.',
    'It waits while the service says that no calls are left, and is never refused on purpose without --exhaust.',
    'Exit codes: 0 all rules are kept, 1 some are not, 2 wrong usage or a bad file, 3 the service cannot be reached.',
  ],
  load: () => import('./run.ts'),
})
