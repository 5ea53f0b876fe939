import { command, type Run } from '../arguments/command.ts'
import { checkServerUrl, type ServerValues, serverFlags, serverUrl } from '../arguments/server-flags.ts'
import { identifyServer } from '../start/identify-server.ts'
import { exitCodes } from '../terminal/io.ts'
import { jsonLine } from '../terminal/json-line.ts'
import { createPaint } from '../terminal/paint.ts'
import { printable } from '../terminal/printable.ts'
import { findServer } from './find-server.ts'

const { url, port, json } = serverFlags

export const health = command({
  name: 'health',
  about: 'Checks that a server is up.',
  flags: { url, port, json },
  examples: [['$0 health', 'the health check of a container']],
  notes: [
    'Exit codes: 0 it is up, 1 it is not, 2 wrong usage. It needs no token: without one, the server shows its name and the id of its run, and no more.',
    'Without --url, it checks the only server on this machine, as the other commands find it.',
  ],
  check: checkServerUrl,
  load: async () => ({ run: checkHealth }),
})

/** Docker knows 0 and 1 only, so a server that cannot be reached is 1 here, too. */
const checkHealth: Run<Pick<ServerValues, 'url' | 'port' | 'json'>> = async ({ values, io }) => {
  const found = await findServer(serverUrl(values))
  if (!found.ok) {
    io.stderr.write(`${found.message}\n`)
    return found.exitCode === exitCodes.wrongUsage ? exitCodes.wrongUsage : exitCodes.refused
  }
  const server = await identifyServer(found.admin)
  if (server.kind !== 'pet-mock' || server.health === undefined) {
    io.stderr.write(`The server at ${found.admin} does not report its health.\n`)
    return exitCodes.refused
  }
  const { scenario, health } = server
  const line = `${createPaint(io.stdout)('green', 'up')} ${found.admin}${scenario === '' ? '' : `  ${printable(scenario)}`}`
  io.stdout.write(`${values.json ? jsonLine(health) : line}\n`)
  return exitCodes.fine
}
