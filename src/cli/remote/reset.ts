import { printSandboxes } from './print-sandboxes.ts'
import { serverCommand } from './server-command.ts'

export const reset = serverCommand({
  name: 'reset',
  about: 'Restarts the scenario of a running server: pets, counters, bans, clock, rules and requests.',
  flags: {},
  examples: [["$0 reset --sandbox '*'", 'all sandboxes']],
  act: async session => printSandboxes(session, 'reset', await session.ask('POST', '/reset')),
})
