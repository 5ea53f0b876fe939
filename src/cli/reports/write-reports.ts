import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { version } from '../../doors/server/version.ts'
import { writeAnnotations } from '../../judges/report/annotations.ts'
import {
  type FailOn,
  type Finding,
  failsOn,
  furtherCalls,
  gradeName,
  gradeOf,
  whereabouts,
} from '../../judges/report/finding.ts'
import {
  countFindings,
  extensionOf,
  type Mark,
  marks,
  type Report,
  type ReportExtension,
  type Table,
} from '../../judges/report/report.ts'
import { countUnjudged, shownFindings } from '../../judges/report/unjudged.ts'
import { isFailed, writeReport } from '../../judges/report/write-report.ts'
import { makeFolder } from '../../library/files/folders.ts'
import { explainFileError, refuseNoFile } from '../../library/files/read-file.ts'
import { isJobSummary } from '../arguments/report-flags.ts'
import { exitCodes, type Io, type TextStream } from '../terminal/io.ts'
import {
  cell,
  createPaint,
  type Paint,
  printable,
  type Style,
  tableLines,
  widthsOf,
  wrap,
} from '../terminal/text.ts'

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

const grades = {
  error: { style: 'red', sign: '✕' },
  warning: { style: 'yellow', sign: '!' },
  info: { style: 'cyan', sign: 'i' },
  expected: { style: 'green', sign: '✓' },
  unjudged: { style: 'yellow', sign: '–' },
} as const satisfies Record<ReturnType<typeof gradeOf>, { readonly style: Style; readonly sign: string }>

/** The most calls to print for a finding. Report files have more. */
const maxCalls = 5
const maxWidth = 100

export interface ReportStyle {
  readonly paint: Paint
  readonly columns: number | undefined
}

export function reportLines(report: Report, style: ReportStyle): readonly string[] {
  const { title, facts, notes } = report
  const findings = shownFindings(report)
  const { paint } = style
  const rows = facts.map(({ name, value }) => [cell(name, { style: 'bold' }), cell(value)])
  return [
    paint('bold', `${printable(title)}: ${countFindings(findings)}`),
    ...notes.flatMap(note => wrapped(note, style, '').map(line => paint('yellow', line))),
    ...findings.flatMap(finding => ['', ...findingLines(finding, style)]),
    ...(facts.length === 0 ? [] : ['']),
    ...tableLines(rows, paint, undefined, style.columns),
  ]
}

function findingLines(finding: Finding, style: ReportStyle): readonly string[] {
  const { id, title, remedy, evidence } = finding
  const { paint } = style
  const grade = gradeOf(finding)
  const { style: color, sign } = grades[grade]
  const shown = evidence.slice(0, maxCalls)
  const further = furtherCalls({ count: finding.count, evidence: shown })
  const rows = shown.map(one => [
    cell(`   ${one.what}`, { style: 'bold' }),
    cell(one.detail, { style: color }),
    cell(whereabouts(one), { style: 'dim' }),
  ])
  return [
    paint(color, `${sign} ${gradeName(finding)}  ${id}`),
    ...wrapped(title, style),
    ...tableLines(rows, paint, undefined, style.columns),
    ...shown.flatMap(({ curl }) => (curl === undefined ? [] : [`    ${printable(curl)}`])),
    ...(further > 0 ? [paint('dim', `    and ${further} more`)] : []),
    ...(grade === 'expected' ? [] : wrapped(remedy, style).map(line => paint('dim', line))),
  ]
}

/** Wraps a text: even on a wide terminal, longer lines are hard to read. */
export function wrapped(text: string, { columns = maxWidth }: ReportStyle, indent = '  '): readonly string[] {
  const width = Math.max(20, Math.min(maxWidth, columns) - indent.length)
  return wrap(printable(text), width).map(line => indent + line)
}

export const markStyles: Readonly<Record<Mark, Style>> = {
  passed: 'green',
  unjudged: 'yellow',
  'not-met': 'dim',
  allowed: 'yellow',
  failed: 'red',
  flaky: 'yellow',
  known: 'yellow',
}

/** The width of a stream that is no terminal. */
const usualColumns = 120
const widestName = 40

/** Formats a table, with a sign before each row that has a result. The last column takes what is left of the line. */
export function sectionLines(
  { about = '', heads, rows, lines }: Table,
  paint: Paint,
  columns: number = usualColumns,
): readonly string[] {
  const all = [
    ['', ...heads].map(text => cell(text, { style: 'dim' })),
    ...rows.map(({ name, cells }) => {
      const mark = cells.find(one => one.mark)?.mark
      return [
        mark === undefined ? cell('') : cell(marks[mark][0], { style: markStyles[mark] }),
        cell(name, { style: 'bold' }),
        ...cells.map(one => {
          const style = one.mark === undefined ? (one.isWrong ? 'red' : 'dim') : markStyles[one.mark]
          return cell(one.text, { style })
        }),
      ]
    }),
  ]
  const [sign = 0, name = 0, ...others] = widthsOf(all)
  const last = others.pop() ?? 0
  const widths = [sign, Math.min(name, widestName), ...others]
  const left = columns - widths.reduce((sum, width) => sum + (width === 0 ? 0 : width + 2), 0)
  return [
    ...(about === '' ? [] : [...wrapped(about, { paint, columns }, ''), '']),
    ...(rows.length === 0
      ? []
      : [...tableLines(all, paint, [...widths, Math.max(0, Math.min(last, left))]), '']),
    ...lines.flatMap(line => [...wrapped(line, { paint, columns }, '').map(text => paint('dim', text)), '']),
  ]
}
