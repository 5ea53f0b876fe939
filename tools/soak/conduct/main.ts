/*
 * Runs real clients with the built command, and compares each verdict with the table of `cells.ts`: `npm run soak:conduct`.
 */
import { above0, readBy, runTool, WrongUse, wholeNumber, yes } from '../../program/flags.ts'
import { temporaryFolder } from '../../program/folder.ts'
import { writeRun } from '../../program/page.ts'
import { root } from '../../program/pet-mock.ts'
import { table } from './cells.ts'
import { formatFailures, formatSummary } from './report.ts'
import { soakConduct, usualTimes } from './soak.ts'

const pattern = readBy('PATTERN', 'a regular expression', text => {
  try {
    return new RegExp(text)
  } catch {
    return undefined
  }
})

const tool = {
  name: 'soak:conduct',
  about: `Runs real clients, politely and impolitely, with the built command, and compares each verdict with the table in
tools/soak/conduct/cells.ts. The cells that cover all pairs run ${usualTimes.pairs} times beside two busy loops, every other cell ${usualTimes.others} times.
Exit code 1 if a verdict differs, or if a cell could not run.`,
  flags: {
    only: pattern('only cells whose name or row matches this regular expression', undefined),
    times: wholeNumber(1)('how often each cell runs', undefined),
    minutes: above0('when to start no further cell', 75),
    list: yes('prints the names of the cells'),
    write: yes('puts the summary into docs/contributors/quality.md; takes no --only or --times'),
  },
}

await runTool(tool, async ({ only, times, minutes, list, write }) => {
  if (write && (only ?? times) !== undefined) throw new WrongUse('--write takes no --only or --times')
  const cells = table.filter(({ id, row }) => only === undefined || only.test(id) || only.test(row))
  if (cells.length === 0) throw new WrongUse('No cell matches. The cells: npm run soak:conduct -- --list')
  if (list) {
    process.stdout.write(cells.map(({ id }) => `${id}\n`).join(''))
    return
  }
  const log = (line: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`)
  const result = await soakConduct(cells, { times, minutes }, temporaryFolder('conduct'), log)
  const summary = formatSummary(result)
  process.stdout.write(`${formatFailures(result)}${summary}\n`)
  if (write) await writeRun(`${root}docs/contributors/quality.md`, 'soak:conduct', summary)
  const isComplete = result.missing.length === 0 && result.left === 0
  process.exitCode = isComplete && result.results.every(({ failures }) => failures.length === 0) ? 0 : 1
})
