import { formatCount } from '../../../base/text/quantities.ts'
import { type Baseline, compareBaseline, writeBaseline } from '../../../judges/rehearsal/baseline.ts'
import type { LifetimeRow } from '../../../judges/rehearsal/lifetime-log.ts'
import { isFailing, type SituationVerdict } from '../../../judges/rehearsal/verdict.ts'
import { writeFiles } from '../../reports/write-reports.ts'
import { exitCodes, type Io } from '../../terminal/io.ts'
import { createPaint, type Paint } from '../../terminal/paint.ts'
import { printable } from '../../terminal/printable.ts'
import { failureLines } from './failure-lines.ts'
import type { RehearseValues } from './flags.ts'
import { matrixLines } from './matrix.ts'
import { sunsetLines } from './sunset-table.ts'

/** What a rehearsal came to. */
export interface Conclusion {
  readonly verdicts: readonly SituationVerdict[]
  readonly baseline: Baseline | undefined
  /** The names of all situations, also of those that were not rehearsed. */
  readonly names: readonly string[]
  /** Only with --sunset. */
  readonly sunset: readonly LifetimeRow[] | undefined
}

/** Prints the matrix and what follows from it, and writes files. Resolves with the exit code. */
export async function concludeRehearsal(
  { verdicts, baseline, names, sunset }: Conclusion,
  values: RehearseValues,
  { stdout, stderr }: Io,
): Promise<number> {
  const paint = createPaint(stdout)
  const { columns } = stdout
  const notes = baseline === undefined ? [] : compareBaseline(verdicts, baseline, names).notes
  const files = values['write-baseline'] === undefined ? [] : [values['write-baseline']]
  const written = await writeFiles(files, () => writeBaseline(verdicts), stderr)
  const lines = [
    ...matrixLines(verdicts, paint, columns),
    ...(sunset === undefined ? [] : ['', ...sunsetLines(sunset, verdicts, paint)]),
    ...failureLines(verdicts, paint, columns),
    '',
    ...notes.map(note => paint('yellow', printable(note))),
    summaryLine(verdicts, paint),
    ...(written.length === 0 ? [] : [`Baseline written: ${written.map(printable).join(', ')}.`]),
  ]
  stdout.write(`${lines.join('\n')}\n`)
  if (written.length < files.length) return exitCodes.notSaved
  return verdicts.some(isFailing) ? exitCodes.findings : exitCodes.fine
}

function summaryLine(verdicts: readonly SituationVerdict[], paint: Paint): string {
  const failing = verdicts.filter(isFailing).map(({ name }) => printable(name))
  const known = verdicts.filter(({ known }) => known).length
  const all = formatCount(verdicts.length, 'situation')
  const also = known === 0 ? '' : ` The baseline knows ${formatCount(known, 'failure')}.`
  return failing.length === 0
    ? paint('green', `${known === 0 ? `All ${all} passed` : `Of ${all}, no new one failed`}.${also}`)
    : paint('red', `${failing.length} of ${all} failed: ${failing.join(', ')}.${also}`)
}
