import { serverFlags } from '../arguments/server-flags.ts'
import { onServer } from './on-server.ts'

export const run = onServer(serverFlags, {
  act: async ({ ask, tell, sandbox = 'default' }) =>
    tell(await ask<object>('DELETE', '/requests'), () => [
      `cleared the requests of ${sandbox === '*' ? 'all sandboxes' : `the sandbox ${sandbox}`}`,
    ]),
})
