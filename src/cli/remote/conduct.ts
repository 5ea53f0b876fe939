import type { Command } from '../arguments/command.ts'
import { reportFlags } from '../arguments/report-flags.ts'
import { serverFlags } from '../arguments/server-flags.ts'

export const conductFlags = { ...reportFlags, ...serverFlags }

export const conduct: Command = {
  name: 'conduct',
  about: 'Tells how the clients of a running server behaved: who retried too early, was banned, and more.',
  flags: conductFlags,
  examples: [
    ['$0 conduct --report conduct.html', 'with a picture of the flight'],
    ["$0 conduct --sandbox '*' --fail-on warning", 'of all sandboxes, and stricter'],
  ],
  notes: [
    'It judges the requests that the server has kept, the last 1,000 of each sandbox; pet-mock exec judges all.',
    'Exit codes: 1 with findings that --fail-on names, 2 wrong usage, 3 no server is to be found.',
  ],
  run: async (...args) => (await import('./show-conduct.ts')).run(...args),
}
