import { command } from '../arguments/command.ts'
import { flagGroup } from '../arguments/flag.ts'

export const psFlags = { json: flagGroup('Options:').toggle({ about: 'print one line of JSON' }) }

export const ps = command({
  name: 'ps',
  about: 'Lists the running servers of this user.',
  flags: psFlags,
  notes: ['It does not list servers of programs, of MSW, of other users and of containers.'],
  load: () => import('./list-servers.ts'),
})
