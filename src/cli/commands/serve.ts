import { shippedScenarios } from '../../control/scenario/shipped.ts'
import type { Command } from '../arguments/command.ts'
import { type Given, readFlags } from '../arguments/read-flags.ts'
import { serveFlags } from '../arguments/serve-flags.ts'
import { startServer } from '../start/start-server.ts'
import { untilStopped } from '../start/stop.ts'
import { exitCodes, type Io } from '../terminal/io.ts'
import type { Keyboard } from '../terminal/keyboard.ts'

export const serve: Command = {
  name: 'serve',
  isDefault: true,
  about: 'Serves the Pet Adoption Service on this machine, its limits, bans and deprecation included.',
  flags: serveFlags,
  examples: [
    ['$0', 'the service as a new customer meets it'],
    ['$0 -s rate-limit-exhaustion', 'three calls are left this minute'],
    ['$0 --clock 2030-12-04T23:59:30Z', 'half a minute before an operation is removed'],
    ['$0 --key my-app=pro --port 0', 'a key of your own, on any free port'],
  ],
  notes: [
    `Shipped scenarios: ${[...shippedScenarios.keys()].join(', ')}.`,
    'Every flag has an environment twin, which it overrules: PET_MOCK_PORT is --port, PET_MOCK_ALLOWED_HOSTS is --allowed-hosts, and PET_MOCK_KEYS takes several keys, with commas between them.',
  ],
  run,
}

async function run(given: Given, complaints: readonly string[], io: Io): Promise<number> {
  const flags = readFlags(serveFlags, given, io.env)
  const starting = await startServer(flags, given, complaints, io)
  if (!starting.ok) return starting.exitCode
  const { facts, notices, reporter, close, contract } = starting.server
  let keyboard: Keyboard | undefined
  const { stopped, stop } = untilStopped(io, graceMs => {
    keyboard?.close()
    return close(graceMs)
  })
  // Before the banner tells of keys: what is typed then must not be lost.
  if (flags.values['log-format'] === 'pretty' && io.isInteractive()) {
    const { listenToKeys } = await import('../start/terminal-keys.ts')
    const isGuarded = facts.isAdminClosed || flags.values['admin-token'] !== undefined
    keyboard = listenToKeys(starting.server, { isGuarded, quit: stop, io })
  }
  reporter.ready({ ...facts, hasKeys: keyboard !== undefined })
  for (const notice of notices) reporter.notice(notice)
  await stopped
  const verdict = await contract?.end()
  for (const note of verdict?.notes ?? []) reporter.notice(note)
  await reporter.end()
  return exitCodes.fine
}
