import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { version } from '../../doors/server/version.ts'
import { writeAnnotations } from '../../judges/report/annotations.ts'
import { type FailOn, type Finding, failsOn, gradeOf } from '../../judges/report/finding.ts'
import { extensionOf, type Report, type ReportExtension } from '../../judges/report/report.ts'
import { countUnjudged, shownFindings } from '../../judges/report/unjudged.ts'
import { isFailed, writeReport } from '../../judges/report/write-report.ts'
import { makeFolder } from '../../library/files/folders.ts'
import { explainFileError, refuseNoFile } from '../../library/files/read-file.ts'
import { isJobSummary } from '../arguments/report-flags.ts'
import { exitCodes, type Io, type TextStream } from '../terminal/io.ts'
import { createPaint, printable } from '../terminal/text.ts'
import { reportLines } from './report-lines.ts'

interface ReportOptions {
  readonly failOn: FailOn
  readonly files: readonly string[]
  readonly to: TextStream | undefined
  /** Prints only what follows from the reports: the command prints them in its own form. */
  readonly onlyVerdict?: boolean
  /** With secrets masked. */
  readonly command: string
  readonly scenario?: string
}

/**
 * Prints reports and what follows from them to a stream, writes files whose extensions choose the format, and adds
 * annotations in GitHub Actions.
 * Resolves with the exit code: 1 if a finding fails or a file cannot be written.
 */
export async function writeReports(
  reports: readonly Report[],
  { failOn, files, to, onlyVerdict = false, command, scenario }: ReportOptions,
  { env, stderr }: Pick<Io, 'env' | 'stderr'>,
): Promise<number> {
  const fails = failsOn(failOn)
  if (to !== undefined && !onlyVerdict) {
    const style = { paint: createPaint(to), columns: to.columns }
    const texts = reports.map(report => reportLines(report, style).join('\n'))
    to.write(`${texts.join('\n\n')}\n`)
  }
  // Notes alone need no annotations.
  const isNews = reports.some(report =>
    shownFindings(report).some(finding => gradeOf(finding) !== 'info' || fails(finding)),
  )
  if (env.GITHUB_ACTIONS === 'true' && isNews) {
    for (const line of writeAnnotations(reports, fails)) stderr.write(`${line}\n`)
  }
  const head = { writtenAt: Date.now(), version, command, scenario }
  const written = await writeFiles(files, file => writeReport(formatOf(file), reports, fails, head), stderr)
  if (to !== undefined) for (const line of verdictLines(reports, fails, written)) to.write(`${line}\n`)
  if (written.length < files.length) return exitCodes.notSaved
  return isFailed(reports, fails) ? exitCodes.findings : exitCodes.fine
}

/** The format of a report by the extension of its file. The job summary has none. */
export function formatOf(file: string): ReportExtension {
  return extensionOf(file) ?? '.md'
}

/** Writes a text to each file, and says which cannot be written. Resolves with the files that were. */
export async function writeFiles(
  files: readonly string[],
  textOf: (file: string) => string,
  stderr: TextStream,
): Promise<readonly string[]> {
  const written: string[] = []
  for (const file of files) {
    try {
      await write(file, textOf(file))
      written.push(file)
    } catch (error) {
      const reason = explainFileError(error)
      stderr.write(`${printable(`${file} cannot be written (${reason}).`)}\n`)
    }
  }
  return written
}

async function write(file: string, text: string): Promise<void> {
  makeFolder(dirname(file))
  const found = await stat(file).catch(() => undefined)
  if (found !== undefined) refuseNoFile(found)
  const { O_APPEND, O_TRUNC, O_WRONLY, O_CREAT, O_NONBLOCK = 0 } = constants
  // Another file may have this name by now. Without O_NONBLOCK, opening a pipe waits for a reader.
  const flags = O_WRONLY | O_CREAT | (isJobSummary(file) ? O_APPEND : O_TRUNC) | O_NONBLOCK
  const handle = await open(file, flags)
  try {
    await handle.writeFile(text)
  } finally {
    await handle.close()
  }
}

/** The last lines under printed reports: where the reports are, which findings fail the command, and how much was not judged. */
export function verdictLines(
  reports: readonly Report[],
  fails: (finding: Finding) => boolean,
  written: readonly string[],
): readonly string[] {
  const findings = reports.flatMap(shownFindings)
  const failing = [...new Set(findings.filter(fails).map(({ id }) => id))]
  const more = failing.length === 0 ? '' : ' More: docs/findings.md'
  const open = countUnjudged(reports.flatMap(({ unjudged }) => unjudged))
  const unjudged = open === '' ? '' : ` Not judged: ${open}.`
  const verdict = `Failing findings: ${failing.join(', ') || 'none'}.${unjudged}${more}`
  const lines = [
    ...(written.length === 0 ? [] : [`Reports written: ${written.map(printable).join(', ')}.`]),
    ...(findings.length === 0 ? [] : [verdict]),
  ]
  return lines.length === 0 ? [] : ['', ...lines]
}
