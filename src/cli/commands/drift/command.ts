import { command } from '../../arguments/command.ts'
import { driftFlags } from './flags.ts'

export const drift = command({
  name: 'drift',
  words: '[URL]',
  about: 'Compares the service with what was learned from it.',
  flags: driftFlags,
  examples: [
    ['$0 drift https://staging.example/v1 --key "$KEY"', 'exit code 1 if a setting changed'],
    [
      '$0 drift https://staging.example/v1 --key "$KEY" --exhaust --update',
      'also the windows; the profile gets the new values',
    ],
  ],
  notes: [
    'It makes the calls of pet-mock learn, within the same bounds, and once more if a setting seems to have changed: a change counts when both runs show it. Settings that only traffic can show are not seen, and fail nothing.',
    'Exit codes: 0 nothing changed, 1 a setting changed or no line could be compared, 2 wrong usage or a bad file, 3 the service cannot be reached or answers every call with an error.',
  ],
  load: () => import('./run.ts'),
})
