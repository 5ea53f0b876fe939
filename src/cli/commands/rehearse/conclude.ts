import { formatCount } from '../../../base/text/quantities.ts'
import { version } from '../../../doors/server/version.ts'
import { compareBaseline, writeBaseline } from '../../../judges/rehearsal/baseline.ts'
import { type Certificate, createCertificate } from '../../../judges/rehearsal/certificate.ts'
import type { ClientRun } from '../../../judges/rehearsal/client-run.ts'
import { failsRehearsal, rehearsalReport } from '../../../judges/rehearsal/rehearsal-report.ts'
import type { LifetimeRow } from '../../../judges/rehearsal/sunset.ts'
import { isFailing, type SituationVerdict } from '../../../judges/rehearsal/verdict.ts'
import { writeAnnotations } from '../../../judges/report/annotations.ts'
import type { Finding } from '../../../judges/report/finding.ts'
import type { SectionedReport } from '../../../judges/report/report.ts'
import { shownFindings } from '../../../judges/report/unjudged.ts'
import { writeJson, writeReport } from '../../../judges/report/write-report.ts'
import { formatOf, type ReportStyle, sectionLines, wrapped, writeFiles } from '../../reports/write-reports.ts'
import { exitCodes, type Io, type TextStream } from '../../terminal/io.ts'
import { createPaint, printable } from '../../terminal/text.ts'
import type { RehearseValues } from './flags.ts'
import type { Prepared } from './prepare.ts'
import { outputLines } from './run-calm.ts'

interface Conclusion extends Pick<Prepared, 'command' | 'baseline' | 'names'> {
  readonly calm: ClientRun
  readonly verdicts: readonly SituationVerdict[]
  readonly sunset: readonly LifetimeRow[] | undefined
}

/** Prints the matrix and what to fix, and writes files. Resolves with the exit code. */
export async function concludeRehearsal(
  { command, calm, verdicts, baseline, names, sunset }: Conclusion,
  { report: files, seed, 'write-baseline': newBaseline }: RehearseValues,
  { env, stdout, stderr }: Io,
): Promise<number> {
  const compared = baseline === undefined ? undefined : compareBaseline(verdicts, baseline, names)
  // A file that this run writes is up to date.
  const outdated = newBaseline === undefined ? (compared?.notes ?? []) : []
  const notes = [...outdated, ...leftOut(verdicts.length, names.length)]
  const certificate = createCertificate({ command: command.typed, calm, verdicts, seed, notes, sunset })
  const report = rehearsalReport(certificate)
  const fails = failsRehearsal(certificate)
  print(certificate, report, stdout)
  if (env.GITHUB_ACTIONS === 'true')
    for (const line of writeAnnotations([report], fails)) stderr.write(`${line}\n`)
  const head = { writtenAt: Date.now(), version, command: command.typed }
  const textOf = (file: string) => {
    const format = formatOf(file)
    // Programs read the verdicts themselves.
    if (format === '.json') return writeJson({ ...certificate, head })
    return writeReport(format, [report], fails, head)
  }
  const baselines = newBaseline === undefined ? [] : [newBaseline]
  const written = [
    ...(await writeFiles(files, textOf, stderr)),
    ...(await writeFiles(baselines, () => writeBaseline(verdicts, baseline, names), stderr)),
  ]
  if (written.length > 0) stdout.write(`Files written: ${written.map(printable).join(', ')}.\n`)
  if (written.length < files.length + baselines.length) return exitCodes.notSaved
  return certificate.failed ? exitCodes.findings : exitCodes.fine
}

/** A rehearsal of a few situations must not look like one of all. */
function leftOut(rehearsed: number, all: number): readonly string[] {
  const count = all - rehearsed
  if (count === 0) return []
  return [
    `${count} of ${formatCount(all, 'situation')} ${count === 1 ? 'was' : 'were'} left out by --only or --skip.`,
  ]
}

/** Failed situations whose output is printed. Report files have all. */
const mostOutputs = 3

/** Prints the matrix, what to fix, and the output of the first failed runs. What the baseline has is no news. */
function print({ failed, situations }: Certificate, report: SectionedReport, stdout: TextStream): void {
  const paint = createPaint(stdout)
  const style = { paint, columns: stdout.columns }
  const { summary, notes, tables = [] } = report
  const isOpen = situations.some(({ unjudged }) => unjudged.length > 0)
  const fails = failsRehearsal({ remedies: report.findings })
  const lines = [
    ...tables.flatMap(table => sectionLines(table, paint, stdout.columns)),
    ...shownFindings(report)
      .filter(({ expected }) => !expected)
      .flatMap(one => remedyLines(one, fails(one), style)),
    ...situations
      .filter(verdict => isFailing(verdict) && verdict.output.trim() !== '')
      .slice(0, mostOutputs)
      .flatMap(({ name, output }) => [
        `The end of the output in ${paint('bold', printable(name))}:`,
        ...outputLines(output, paint),
        '',
      ]),
    ...notes.map(note => paint('yellow', printable(note))),
    paint(failed ? 'red' : isOpen ? 'yellow' : 'green', `${summary}.`),
  ]
  stdout.write(`${lines.join('\n')}\n`)
}

function remedyLines(
  { id, remedy, count, evidence }: Finding,
  isFailing: boolean,
  style: ReportStyle,
): readonly string[] {
  const { paint } = style
  const [first] = evidence
  const others = evidence.slice(1).map(({ what }) => what)
  const more = others.length === 0 ? '' : ` In ${count - 1} more: ${others.join(', ')}.`
  return [
    isFailing ? paint('red', `✕ ${printable(id)}`) : paint('yellow', `– ${printable(id)}`),
    ...(first === undefined ? [] : wrapped(`In ${first.what}: ${first.detail}${more}`, style)),
    ...wrapped(remedy, style).map(line => paint('dim', line)),
    '',
  ]
}
