import { command } from '../../arguments/command.ts'
import { driftFlags, learnFlags } from './flags.ts'

export const learn = command({
  name: 'learn',
  words: '[URL|FILE...]',
  about: 'Learns from the service what the specification leaves open.',
  flags: learnFlags,
  examples: [
    [
      '$0 learn https://staging.example/v1 --key "$KEY"',
      'at most 60 GET requests; service.profile.yaml gets the result',
    ],
    [
      '$0 learn https://staging.example/v1 --key "$KEY" --allow-writes --exhaust',
      'also POST, 429 and the windows',
    ],
    ['$0 learn calls.har --profile service.profile.yaml', 'from a recording, without a call'],
    ['$0 serve --profile service.profile.yaml', 'answer as the service does'],
  ],
  notes: [
    'It prints the cost of its calls before the first one, and --dry-run prints nothing else. Without a flag it sends GET requests only, uses at most half of the calls that are left in a window, and stops at the first 429, 403 or 5xx. docs/learn.md has a table of what shows which setting.',
    'A value is never guessed: what nothing showed is unknown. A profile holds no key and no data of the service. Results of several runs are merged.',
    'Exit codes: 0 done, 2 wrong usage, a bad file or the profile of another service, 3 the service cannot be reached or the run stopped early.',
  ],
  load: () => import('./run.ts'),
})

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
  load: async () => ({ run: (await import('./run.ts')).runDrift }),
})
