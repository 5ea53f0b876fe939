import { command } from '../arguments/command.ts'
import { serverFlags } from '../arguments/server-flags.ts'

export const health = command({
  name: 'health',
  about: 'Checks that a server is up.',
  flags: { url: serverFlags.url, port: serverFlags.port, json: serverFlags.json },
  examples: [['$0 health', 'the health check of a container']],
  notes: [
    'Exit codes: 0 it is up, 1 it is not, 2 wrong usage. It needs no token: without one, the server shows its name and the id of its run, and no more.',
    'Without --url, it checks the only server on this machine, as the other commands find it.',
  ],
  load: () => import('./check-health.ts'),
})
