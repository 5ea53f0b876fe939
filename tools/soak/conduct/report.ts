import { availableParallelism } from 'node:os'
import { table } from '../../program/table.ts'
import type { CellRun } from './run-cell.ts'
import type { SoakResult } from './soak.ts'
import { describeSeen } from './verdicts.ts'

/** A table with a line for each row of the table of verdicts. */
export function formatSummary({ results, missing, again, left, minutes }: SoakResult): string {
  const rows = [...new Set(results.map(({ cell }) => cell.row))]
  const lines = rows.map(row => {
    const own = results.filter(({ cell }) => cell.row === row)
    const runs = own.reduce((sum, result) => sum + result.runs, 0)
    const failed = own.reduce((sum, { failures }) => sum + failures.length, 0)
    return [row, own.length, runs, runs - failed, failed].map(String)
  })
  const head = ['clients', 'cells', 'runs', 'as expected', 'otherwise']
  const circumstances = `Node ${process.version}, ${availableParallelism()} cores, ${minutes.toFixed(0)} minutes.`
  return [
    circumstances,
    ...missing.map(need => `Not run: no ${need}.`),
    ...(again === 0
      ? []
      : [`Runs made again, because the machine held up a call of the client for more than 15 ms: ${again}.`]),
    ...(left === 0 ? [] : [`Runs for which there was no time: ${left}.`]),
    ...['', table(head, lines)],
  ].join('\n')
}

/** Each cell that failed, with what was expected, what was seen how often, and the calls of one run. */
export function formatFailures({ results }: SoakResult): string {
  return results
    .filter(({ failures }) => failures.length > 0)
    .map(({ cell, runs, failures }) => {
      const counts = new Map<string, { times: number; run: CellRun }>()
      for (const run of failures) {
        const seen = run.seen === undefined ? 'the client failed' : describeSeen(run.seen)
        const known = counts.get(seen)
        counts.set(seen, { times: (known?.times ?? 0) + 1, run: known?.run ?? run })
      }
      return [
        `FAILED  ${cell.id}  (${cell.row}): ${failures.length} of ${runs} runs`,
        `  expected  ${cell.expected.text}`,
        ...[...counts].flatMap(([seen, { times, run }]) => [
          `  seen      ${seen}${times === 1 ? '' : `, ${times} times`}`,
          ...run.output
            .trim()
            .split('\n')
            .slice(0, 40)
            .map(line => `              ${line}`),
        ]),
        '',
      ].join('\n')
    })
    .join('\n')
}
