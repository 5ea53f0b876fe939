import { shippedScenarios } from '../../../control/scenario/shipped.ts'
import { command } from '../../arguments/command.ts'
import { serveFlags } from '../../arguments/serve-flags.ts'
import { run } from './run.ts'

export const serve = command({
  name: 'serve',
  isDefault: true,
  about: 'Serves the Pet Adoption Service on this machine, its limits, bans and deprecation included.',
  flags: serveFlags,
  examples: [
    ['$0', 'the service as a new customer meets it'],
    ['$0 -s rate-limit-exhaustion', 'three calls are left this minute'],
    ['$0 --clock 2030-12-04T23:59:30Z', 'half a minute before an operation is removed'],
    ['$0 --key my-app=pro --port 0', 'a key of your own, on any free port'],
  ],
  notes: [
    `Shipped scenarios: ${[...shippedScenarios.keys()].join(', ')}.`,
    'Every flag has an environment twin, which it overrules: PET_MOCK_PORT is --port, PET_MOCK_ALLOWED_HOSTS is --allowed-hosts, and PET_MOCK_KEYS takes several keys, with commas between them.',
  ],
  // Most calls of pet-mock are this one: it imports its run file at once.
  load: async () => ({ run }),
})
