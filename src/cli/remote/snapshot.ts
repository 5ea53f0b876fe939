import type { CommandGroup } from '../arguments/command.ts'
import { serverFlags } from '../arguments/server-flags.ts'

const load = () => import('./sandbox-commands.ts')

export const snapshot: CommandGroup = {
  name: 'snapshot',
  about: 'Saves everything of a running server to a file, and puts it back.',
  commands: [
    {
      name: 'save',
      words: 'FILE',
      about: 'Saves everything that decides what is answered to a file, which is replaced if it is there.',
      flags: serverFlags,
      examples: [["$0 snapshot save all.json --sandbox '*'", 'all sandboxes']],
      notes: [],
      run: async (...args) => (await load()).save(...args),
    },
    {
      name: 'load',
      words: 'FILE',
      about: 'Puts everything back as a file has it, whole or not at all.',
      flags: serverFlags,
      examples: [],
      notes: ["What was saved of all sandboxes goes in the place of all with --sandbox '*'."],
      run: async (...args) => (await load()).load(...args),
    },
  ],
}
