import { shippedScenarios } from '../../../control/scenario/shipped.ts'
import { command } from '../../arguments/command.ts'
import { serveFlags } from '../../arguments/serve-flags.ts'
import { run } from './run.ts'

export const serve = command({
  name: 'serve',
  isDefault: true,
  about: 'Serves the Pet Adoption Service with limits and bans.',
  flags: serveFlags,
  readsProject: true,
  examples: [
    ['$0', 'the service with the free plan'],
    ['$0 -s rate-limit-exhaustion', 'three calls left in this minute'],
    ['$0 --clock 2030-12-04T23:59:30Z', '30 seconds before an operation is removed'],
    ['$0 --key my-app=pro --port 0', 'your own key, on a free port'],
  ],
  notes: [
    `Shipped scenarios: ${[...shippedScenarios.keys()].join(', ')}.`,
    'Each flag overrides an environment variable: --port overrides PET_MOCK_PORT, --allowed-hosts overrides PET_MOCK_ALLOWED_HOSTS. PET_MOCK_KEYS takes several keys, separated by commas.',
    'A project file pet-mock.yaml, here or above, may have the names of flags as keys, such as port: 7400. The environment overrides it.',
  ],
  // The most frequent command imports its run file at once.
  load: async () => ({ run }),
})
