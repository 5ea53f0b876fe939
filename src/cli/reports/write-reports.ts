import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { writeAnnotations } from '../../judges/report/annotations.ts'
import { type FailOn, failsOn } from '../../judges/report/fail-on.ts'
import type { Report } from '../../judges/report/report.ts'
import { extensionOf } from '../../judges/report/report-extensions.ts'
import { isFailed, writeReport } from '../../judges/report/write-report.ts'
import { isJobSummary } from '../arguments/report-flags.ts'
import { exitCodes, type Io, type TextStream } from '../terminal/io.ts'
import { createPaint } from '../terminal/paint.ts'
import { printable } from '../terminal/printable.ts'
import { reportLines } from './report-lines.ts'

export interface Telling {
  readonly failOn: FailOn
  /** Files to be written, by their endings. */
  readonly files: readonly string[]
  /** Where people read; without it, nothing but errors is told there. */
  readonly to: (TextStream & { readonly columns?: number }) | undefined
}

/**
 * Tells of reports: to people, to the files that were asked for, and, where GitHub Actions runs this, as annotations.
 * Resolves with the exit code that comes of them: 1 if a finding makes it fail, 2 if a file cannot be written.
 */
export async function tellReports(
  reports: readonly Report[],
  { failOn, files, to }: Telling,
  { env, stderr }: Pick<Io, 'env' | 'stderr'>,
): Promise<number> {
  const fails = failsOn(failOn)
  if (to !== undefined) {
    const look = { paint: createPaint(to), columns: to.columns }
    const lines = reports.flatMap(report => reportLines(report, look))
    to.write(`${lines.join('\n')}\n`)
  }
  // Notes alone are no news of a run.
  const isNews = reports.some(({ findings }) =>
    findings.some(finding => finding.severity !== 'info' || fails(finding)),
  )
  if (env.GITHUB_ACTIONS === 'true' && isNews) {
    for (const line of writeAnnotations(reports, fails)) stderr.write(`${line}\n`)
  }
  const problems: string[] = []
  for (const file of files) {
    const text = writeReport(extensionOf(file) ?? '.md', reports, fails)
    const problem = await write(file, text)
    if (problem !== undefined) problems.push(problem)
  }
  for (const problem of problems) stderr.write(`${printable(problem)}\n`)
  if (problems.length > 0) return exitCodes.wrongUsage
  return isFailed(reports, fails) ? exitCodes.findings : exitCodes.fine
}

/** What kept a file from being written, if anything did. */
async function write(file: string, text: string): Promise<string | undefined> {
  try {
    await mkdir(dirname(file), { recursive: true })
    if (isJobSummary(file)) await appendFile(file, text)
    else await writeFile(file, text)
    return undefined
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return `${file} cannot be written (${reason}).`
  }
}
