import type { Command } from '../arguments/command.ts'
import { serverFlags } from '../arguments/server-flags.ts'

export const reset: Command = {
  name: 'reset',
  about:
    'Starts a running server anew, as its scenario says: pets, counters, bans, clock, rules and requests.',
  flags: serverFlags,
  examples: [["$0 reset --sandbox '*'", 'all sandboxes']],
  notes: [],
  run: async (...args) => (await import('./sandbox-commands.ts')).reset(...args),
}
