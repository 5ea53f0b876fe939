import { furtherCalls, whereabouts } from '../../judges/report/evidence.ts'
import type { Finding, Severity } from '../../judges/report/finding.ts'
import { countFindings, type Report } from '../../judges/report/report.ts'
import type { Paint, Style } from '../terminal/paint.ts'
import { printable, wrap } from '../terminal/printable.ts'
import { cell, tableLines } from '../terminal/table.ts'

const styles = { error: 'red', warning: 'yellow', info: 'cyan' } as const satisfies Record<Severity, Style>
const signs = { error: '✕', warning: '!', info: 'i' } as const satisfies Record<Severity, string>

/** Calls that are shown of a finding: a report has more. */
const mostCalls = 5
const widest = 100

export interface ReportLook {
  readonly paint: Paint
  readonly columns: number | undefined
}

/** A report as lines for a terminal. */
export function reportLines({ title, findings, facts, notes }: Report, look: ReportLook): readonly string[] {
  const { paint } = look
  return [
    paint('bold', `${printable(title)}: ${countFindings(findings)}`),
    ...notes.flatMap(note => wrapped(note, look, '').map(line => paint('yellow', line))),
    ...findings.flatMap(finding => ['', ...findingLines(finding, look)]),
    ...(facts.length === 0 ? [] : ['']),
    ...tableLines(
      facts.map(({ name, value }) => [cell(name, { style: 'bold' }), cell(value)]),
      paint,
    ),
  ]
}

function findingLines(finding: Finding, look: ReportLook): readonly string[] {
  const { id, severity, title, remedy, evidence } = finding
  const { paint } = look
  const shown = evidence.slice(0, mostCalls)
  const further = furtherCalls({ count: finding.count, evidence: shown })
  return [
    paint(styles[severity], `${signs[severity]} ${severity}  ${id}`),
    ...wrapped(title, look),
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
    ...wrapped(remedy, look).map(line => paint('dim', line)),
  ]
}

function wrapped(text: string, { columns = widest }: ReportLook, indent = '  '): readonly string[] {
  const width = Math.max(20, Math.min(widest, columns) - indent.length)
  return wrap(printable(text), width).map(line => indent + line)
}
