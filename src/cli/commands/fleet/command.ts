import { command } from '../../arguments/command.ts'
import { fleetFlags } from './flags.ts'

export const fleet = command({
  name: 'fleet',
  words: '[FILE]',
  about: 'Simulates many instances that share one key.',
  flags: fleetFlags,
  examples: [
    ['$0 fleet --instances 20 --demand 70/m', 'three policies, and what to do'],
    ['$0 fleet --instances 12 --demand 200/m --plan pro --policy ./limiter.mjs', 'your own limiter'],
    ['$0 fleet fleet.yaml --report fleet.html', 'groups, deploys and demand by the hour; pictures over time'],
    ['$0 fleet fleet.yaml --baseline baseline.json', 'exit code 1 if a change makes it worse'],
  ],
  notes: [
    'It runs on the emulator, on a virtual clock, without sleeping. The same fleet gives the same figures. A run is cut after 3 million calls. docs/fleet.md has the policies, the file and the interface of modules.',
    'Exit codes: 0 done, 1 a policy does worse than in --baseline or a report cannot be written, 2 wrong usage, a bad file, or a policy that breaks its rules.',
  ],
  load: () => import('./run.ts'),
})
