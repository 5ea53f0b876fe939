import { type Finding, furtherCalls, type Severity, whereabouts } from '../../judges/report/finding.ts'
import { countFindings, type Report } from '../../judges/report/report.ts'
import type { Paint, Style } from '../terminal/paint.ts'
import { printable, wrap } from '../terminal/printable.ts'
import { cell, tableLines } from '../terminal/table.ts'

const styles = { error: 'red', warning: 'yellow', info: 'cyan' } as const satisfies Record<Severity, Style>
const signs = { error: '✕', warning: '!', info: 'i' } as const satisfies Record<Severity, string>

/** The most calls to print for a finding. Report files have more. */
const maxCalls = 5
const maxWidth = 100

export interface ReportStyle {
  readonly paint: Paint
  readonly columns: number | undefined
}

/** Formats a report for a terminal. */
export function reportLines(
  { title, findings, facts, notes }: Report,
  style: ReportStyle,
): readonly string[] {
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
  const { id, severity, title, remedy, evidence } = finding
  const { paint } = style
  const shown = evidence.slice(0, maxCalls)
  const further = furtherCalls({ count: finding.count, evidence: shown })
  return [
    paint(styles[severity], `${signs[severity]} ${severity}  ${id}`),
    ...wrapped(title, style),
    ...tableLines(
      shown.map(one => [
        cell(`   ${one.what}`, { style: 'bold' }),
        cell(one.detail, { style: styles[severity] }),
        cell(whereabouts(one), { style: 'dim' }),
      ]),
      paint,
    ),
    ...shown.flatMap(({ curl }) => (curl === undefined ? [] : [`    ${printable(curl)}`])),
    ...(further > 0 ? [paint('dim', `    and ${further} more`)] : []),
    ...wrapped(remedy, style).map(line => paint('dim', line)),
  ]
}

function wrapped(text: string, { columns = maxWidth }: ReportStyle, indent = '  '): readonly string[] {
  const width = Math.max(20, Math.min(maxWidth, columns) - indent.length)
  return wrap(printable(text), width).map(line => indent + line)
}
