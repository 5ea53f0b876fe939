import type { Run } from '../arguments/command.ts'
import { type ServerValues, serverUrl } from '../arguments/server-flags.ts'
import { refuseUsage } from '../arguments/usage-error.ts'
import { identifyServer } from '../start/identify-server.ts'
import { exitCodes } from '../terminal/io.ts'
import { jsonLine } from '../terminal/json-line.ts'
import { createPaint } from '../terminal/paint.ts'
import { printable } from '../terminal/printable.ts'
import { findServer } from './find-server.ts'

/** Docker knows 0 and 1 only, so a server that cannot be reached is 1 here, too. */
export const run: Run<Pick<ServerValues, 'url' | 'port' | 'json'>> = async ({
  values,
  typed,
  complaints,
  io,
}) => {
  const url = serverUrl(values, typed)
  const all = [...complaints, ...(url.ok ? [] : url.problems)]
  if (!url.ok || all.length > 0) return refuseUsage(all, io)
  const found = await findServer(url.value)
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
