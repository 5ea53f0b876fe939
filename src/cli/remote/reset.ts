import { printSandboxes } from './print-sandboxes.ts'
import { serverCommand } from './server-command.ts'

export const reset = serverCommand({
  name: 'reset',
  about: 'Restarts the scenario: pets, counters, bans, clock and rules.',
  flags: {},
  notes: ['It also empties the journal.'],
  examples: [["$0 reset --sandbox '*'", 'all sandboxes']],
  act: async session => printSandboxes(session, 'reset', await session.ask('POST', '/reset')),
})
