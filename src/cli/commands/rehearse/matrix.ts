import { roundedDuration } from '../../../judges/rehearsal/reason.ts'
import type { Recovery } from '../../../judges/rehearsal/recovery.ts'
import type { SituationVerdict, Waste } from '../../../judges/rehearsal/verdict.ts'
import type { Paint, Style } from '../../terminal/paint.ts'
import { printable } from '../../terminal/printable.ts'
import { type Cell, cell, tableLines, widthsOf } from '../../terminal/table.ts'
import { type Mark, marks } from './progress.ts'

/** The width of a stream that is no terminal. */
const usualColumns = 120

const heads = ['', 'situation', 'exit', 'conduct', 'recovery', 'result', 'waste']
const widestName = 40

/** One row for each situation. */
export function matrixLines(
  verdicts: readonly SituationVerdict[],
  paint: Paint,
  columns: number = usualColumns,
): readonly string[] {
  const rows = [heads.map(text => cell(text, { style: 'dim' })), ...verdicts.map(rowOf)]
  const [sign = 0, name = 0, ...others] = widthsOf(rows)
  const waste = others.pop() ?? 0
  const widths = [sign, Math.min(name, widestName), ...others]
  const left = columns - widths.reduce((sum, width) => sum + width + 2, 0)
  return tableLines(rows, paint, [...widths, Math.max(0, Math.min(waste, left))])
}

function rowOf(verdict: SituationVerdict): readonly Cell[] {
  const { name, exit, recovery, waste, known } = verdict
  const { sign, style } = marks[markOf(verdict)]
  const [isRecoveryWrong] = verdict.reasons.filter(({ kind }) => kind === 'recovery')
  const { found, isAsExpected } = exit
  return [
    cell(sign, { style }),
    cell(name, { style: 'bold' }),
    cell(found.kind === 'hung' ? 'hung' : found.exitCode, isAsExpected ? {} : { style: 'red' }),
    conductCell(verdict),
    cell(formatRecovery(recovery), isRecoveryWrong === undefined ? { style: 'dim' } : { style: 'red' }),
    cell(`${resultOf(verdict)}${known ? ', known' : ''}`, { style }),
    cell(formatWaste(waste), { style: 'dim' }),
  ]
}

/** A failure that the baseline knows is no news. */
export function markOf({ result, known }: SituationVerdict): Mark {
  return known ? 'known' : result
}

/** How many runs of a flaky client passed. */
export function resultOf({ result, runs: { passed, failed } }: SituationVerdict): string {
  return result === 'flaky' ? `flaky, ${passed} of ${passed + failed} passed` : result
}

function conductCell({ reasons, conduct }: SituationVerdict): Cell {
  const failing = reasons.filter(({ kind }) => kind === 'conduct').length
  const noted = conduct.filter(({ severity }) => severity !== 'info').length
  const look = (style: Style) => ({ style })
  if (failing > 0) return cell(`${failing} failing`, look('red'))
  return noted === 0 ? cell('–', look('dim')) : cell(`${noted} allowed`, look('dim'))
}

function formatRecovery(recovery: Recovery): string {
  switch (recovery.kind) {
    case 'unneeded':
      return '–'
    case 'recovered':
      return `after ${roundedDuration(recovery.afterMs)}`
    case 'ended-early':
      return 'gave up'
    case 'stopped':
      return 'none'
    case 'failed-again':
      return 'failed again'
    case 'not-judged':
      return 'unknown'
  }
}

function formatWaste({ refused, early, beyondCalm }: Waste): string {
  const parts: readonly (readonly [number, string])[] = [
    [refused, 'refused'],
    [early, 'early'],
    [beyondCalm, 'extra'],
  ]
  return parts.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : [])).join(', ') || '–'
}

/** A situation and how the client did in it, for a log. */
export function verdictLine(verdict: SituationVerdict): string {
  const why = verdict.reasons.map(({ id }) => id).join(', ')
  const text = `${marks[markOf(verdict)].sign} ${verdict.name}: ${resultOf(verdict)}`
  return printable(why === '' ? text : `${text} (${why})`)
}
