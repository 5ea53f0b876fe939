import { type Finding, furtherCalls, gradeName, gradeOf, whereabouts } from '../../judges/report/finding.ts'
import { countFindings, type Mark, marks, type Report, type Table } from '../../judges/report/report.ts'
import { shownFindings } from '../../judges/report/unjudged.ts'
import { cell, type Paint, printable, type Style, tableLines, widthsOf, wrap } from '../terminal/text.ts'

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
