import {
  type Finding,
  furtherCalls,
  type Grade,
  gradeName,
  gradeOf,
  whereabouts,
} from '../../judges/report/finding.ts'
import { countFindings, type Report } from '../../judges/report/report.ts'
import { shownFindings } from '../../judges/report/unjudged.ts'
import type { Paint, Style } from '../terminal/paint.ts'
import { printable, wrap } from '../terminal/printable.ts'
import { cell, tableLines } from '../terminal/table.ts'

const grades = {
  error: { style: 'red', sign: '✕' },
  warning: { style: 'yellow', sign: '!' },
  info: { style: 'cyan', sign: 'i' },
  expected: { style: 'green', sign: '✓' },
  unjudged: { style: 'yellow', sign: '–' },
} as const satisfies Record<Grade, { readonly style: Style; readonly sign: string }>

/** The most calls to print for a finding. Report files have more. */
const maxCalls = 5
const maxWidth = 100

export interface ReportStyle {
  readonly paint: Paint
  readonly columns: number | undefined
}

/** Formats a report for a terminal. */
export function reportLines(report: Report, style: ReportStyle): readonly string[] {
  const { title, facts, notes } = report
  const findings = shownFindings(report)
  const { paint } = style
  return [
    paint('bold', `${printable(title)}: ${countFindings(findings)}`),
    ...notes.flatMap(note => wrapped(note, style, '').map(line => paint('yellow', line))),
    ...findings.flatMap(finding => ['', ...findingLines(finding, style)]),
    ...(facts.length === 0 ? [] : ['']),
    ...tableLines(
      facts.map(({ name, value }) => [cell(name, { style: 'bold' }), cell(value)]),
      paint,
    ),
  ]
}

function findingLines(finding: Finding, style: ReportStyle): readonly string[] {
  const { id, title, remedy, evidence } = finding
  const { paint } = style
  const grade = gradeOf(finding)
  const { style: color, sign } = grades[grade]
  const shown = evidence.slice(0, maxCalls)
  const further = furtherCalls({ count: finding.count, evidence: shown })
  return [
    paint(color, `${sign} ${gradeName(finding)}  ${id}`),
    ...wrapped(title, style),
    ...tableLines(
      shown.map(one => [
        cell(`   ${one.what}`, { style: 'bold' }),
        cell(one.detail, { style: color }),
        cell(whereabouts(one), { style: 'dim' }),
      ]),
      paint,
    ),
    ...shown.flatMap(({ curl }) => (curl === undefined ? [] : [`    ${printable(curl)}`])),
    ...(further > 0 ? [paint('dim', `    and ${further} more`)] : []),
    ...(grade === 'expected' ? [] : wrapped(remedy, style).map(line => paint('dim', line))),
  ]
}

function wrapped(text: string, { columns = maxWidth }: ReportStyle, indent = '  '): readonly string[] {
  const width = Math.max(20, Math.min(maxWidth, columns) - indent.length)
  return wrap(printable(text), width).map(line => indent + line)
}
