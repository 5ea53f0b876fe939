import type { CommandGroup } from '../arguments/command.ts'
import { flag, one } from '../arguments/flag.ts'
import { readDurationText } from '../arguments/flag-values.ts'
import { serverFlags } from '../arguments/server-flags.ts'

export const banFlags = {
  for: flag<string | undefined>({
    value: 'DURATION',
    group: 'How:',
    about: "from now on, such as 2m [as long as the scenario's bans are]",
    fallback: undefined,
    read: one(readDurationText),
  }),
  ...serverFlags,
}

const load = () => import('./keys-commands.ts')

export const keys: CommandGroup = {
  name: 'keys',
  about: 'Lists, adds, bans and deletes API keys of a running server.',
  commands: [
    {
      name: 'list',
      isDefault: true,
      about: 'Lists the API keys, what each has left, and whether it is banned.',
      flags: serverFlags,
      examples: [],
      notes: [],
      run: async (...args) => (await load()).list(...args),
    },
    {
      name: 'add',
      words: 'NAME PLAN',
      about: 'Adds an API key.',
      flags: serverFlags,
      examples: [['$0 keys add my-app pro', '']],
      notes: [],
      run: async (...args) => (await load()).add(...args),
    },
    {
      name: 'ban',
      words: 'KEY',
      about: 'Bans an API key.',
      flags: banFlags,
      examples: [['$0 keys ban demo-free --for 2m', '']],
      notes: [],
      run: async (...args) => (await load()).ban(...args),
    },
    {
      name: 'unban',
      words: 'KEY',
      about: 'Lifts the ban of an API key, and forgets what led to it.',
      flags: serverFlags,
      examples: [],
      notes: [],
      run: async (...args) => (await load()).unban(...args),
    },
    {
      name: 'delete',
      words: 'KEY',
      about: 'Deletes an API key: calls with it get 401.',
      flags: serverFlags,
      examples: [],
      notes: [],
      run: async (...args) => (await load()).remove(...args),
    },
  ],
}
