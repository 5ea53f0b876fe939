import type { Run } from '../arguments/command.ts'
import { refuseUsage } from '../arguments/usage-error.ts'
import { findRunningServers, originOf } from '../start/running-servers.ts'
import { exitCodes } from '../terminal/io.ts'
import { jsonLine } from '../terminal/json-line.ts'
import { createPaint } from '../terminal/paint.ts'
import { cell, tableLines } from '../terminal/table.ts'

export const run: Run<{ readonly json: boolean }> = async ({ values, complaints, io }) => {
  if (complaints.length > 0) return refuseUsage(complaints, io)
  const running = await findRunningServers()
  const servers = running.map(({ pid, admin, start, scenario }) => {
    return { pid, url: `${originOf(admin)}/v1`, admin, start, scenario }
  })
  const paint = createPaint(io.stdout)
  const rows = running.map(({ pid, admin, scenario, isBusy }) => [
    cell(`${originOf(admin)}/v1`, { style: 'bold' }),
    cell(
      scenario || (isBusy ? 'does not respond' : 'admin token required'),
      scenario ? {} : { style: 'dim' },
    ),
    cell(`process ${pid}`, { style: 'dim' }),
  ])
  const none = paint('dim', 'No pet-mock runs on this machine.')
  const lines = servers.length === 0 ? [none] : tableLines(rows, paint)
  io.stdout.write(`${values.json ? jsonLine({ servers }) : lines.join('\n')}\n`)
  return exitCodes.fine
}
