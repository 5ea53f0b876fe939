import { groupDigits } from '../../../base/text/quantities.ts'
import { type AdviceLine, lengthOf } from '../../../judges/replay/advise.ts'
import type { ReplayResult } from '../../../judges/replay/replay.ts'
import { linesOf, type PlanView, type ReplayReport } from '../../../judges/replay/replay-report.ts'
import { planTitle } from '../../../service/plans/plan.ts'
import type { ReportStyle } from '../../reports/report-lines.ts'
import { printable, wrap } from '../../terminal/printable.ts'
import { cell, tableLines } from '../../terminal/table.ts'

const widest = 100

/** The report of a replay for a terminal: a line for each plan, then what would make a smaller one do. */
export function replayLines(
  report: ReplayReport,
  result: ReplayResult,
  style: ReportStyle,
): readonly string[] {
  const { paint } = style
  const [calls, time, demand] = report.facts
  const smallest = report.smallest === null ? 'none of these' : planTitle(report.smallest)
  return [
    paint('bold', `Replay of ${printable(report.file)}`),
    ...[calls, time, demand].flatMap(fact =>
      fact === undefined ? [] : wrapped(`${fact.name}: ${fact.value}`, style),
    ),
    ...report.notes.flatMap(note => wrapped(note, style).map(line => paint('yellow', line))),
    '',
    ...planTable(report, style),
    '',
    paint('bold', `Smallest plan that serves every call: ${printable(smallest)}`),
    ...result.plans.flatMap(plan => {
      const lines = linesOf(plan, result)
      if (lines.length === 0) return []
      const title = `What would make ${printable(planTitle(plan.plan.name))} do`
      return ['', paint('bold', title), ...lines.flatMap(line => adviceLine(line, style))]
    }),
  ]
}

function planTable({ plans, from, to }: ReplayReport, { paint }: ReportStyle): readonly string[] {
  const isOneDay = from.slice(0, 10) === to.slice(0, 10)
  const head = ['', 'Plan', 'Refused', 'First refusal', 'Blocked', 'Bans', 'In a minute', 'In a day']
  const rows = plans.map(view => [
    cell(view.refused === 0 ? '✓' : '✕', { style: view.refused === 0 ? 'green' : 'red' }),
    cell(planTitle(view.plan), { style: 'bold' }),
    cell(groupDigits(view.refused), { atRight: true }),
    cell(firstRefusal(view, isOneDay)),
    cell(view.refused === 0 ? '–' : lengthOf(view.blockedMs), { atRight: true }),
    cell(view.bans, { atRight: true }),
    cell(share(view.peak.minute, view.limits.minute), { atRight: true }),
    cell(share(view.peak.day, view.limits.day), { atRight: true }),
  ])
  const titles = head.map((text, index) =>
    cell(text, { style: 'dim', atRight: [2, 4, 5, 6, 7].includes(index) }),
  )
  return tableLines([titles, ...rows], paint)
}

/** The time alone, if all calls are of one day. */
function firstRefusal({ firstRefusal: first }: PlanView, isOneDay: boolean): string {
  if (first === null) return '–'
  return isOneDay ? first.at.slice(11, 19) : first.at.slice(5, 16).replace('T', ' ')
}

function share(used: number, limit: number): string {
  return `${groupDigits(used)}/${groupDigits(limit)}`
}

function adviceLine({ suffices, text }: AdviceLine, style: ReportStyle): readonly string[] {
  const [sign, color] = suffices ? (['✓', 'green'] as const) : (['✕', 'red'] as const)
  const [first = '', ...rest] = wrapped(text, style, 4)
  return [`  ${style.paint(color, sign)} ${first.trimStart()}`, ...rest]
}

function wrapped(text: string, { columns = widest }: ReportStyle, indent = 0): readonly string[] {
  const width = Math.max(20, Math.min(widest, columns) - indent)
  return wrap(printable(text), width).map(line => ' '.repeat(indent) + line)
}
