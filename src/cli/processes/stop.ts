import { command } from '../arguments/command.ts'
import { stopFlags } from './stop-flags.ts'

export const stop = command({
  name: 'stop',
  about: 'Stops a running server of this user, or all of them.',
  flags: stopFlags,
  examples: [
    ['$0 stop', 'the only server'],
    ['$0 stop --port 7387', 'one of several'],
    ['$0 stop --all', ''],
  ],
  notes: [
    'It sends SIGTERM, like Ctrl+C: the server answers the calls that it has, and saves its state. It stops a process only if the server at its address is the one that the process started.',
    'Exit codes: 0 stopped, 1 a process cannot be stopped, 2 wrong usage or several servers, 3 no server found. With --all, no server is 0.',
  ],
  load: () => import('./stop-servers.ts'),
})
