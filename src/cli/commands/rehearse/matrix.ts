import type { SituationVerdict } from '../../../judges/rehearsal/verdict.ts'
import { formatResult, type MatrixRow, markOf, matrixOf } from '../../../judges/rehearsal/verdict-texts.ts'
import type { Paint } from '../../terminal/paint.ts'
import { printable } from '../../terminal/printable.ts'
import { type Cell, cell, tableLines, widthsOf } from '../../terminal/table.ts'
import { signs } from './progress.ts'

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
  const matrix = matrixOf(verdicts)
  const rows = [heads.map(text => cell(text, { style: 'dim' })), ...matrix.rows.map(rowOf)]
  const [sign = 0, name = 0, ...others] = widthsOf(rows)
  const waste = others.pop() ?? 0
  const widths = [sign, Math.min(name, widestName), ...others]
  const left = columns - widths.reduce((sum, width) => sum + width + 2, 0)
  return [
    ...tableLines(rows, paint, [...widths, Math.max(0, Math.min(waste, left))]),
    ...matrix.lines.flatMap(line => ['', paint('dim', line)]),
  ]
}

function rowOf({ verdict, mark, result, cells }: MatrixRow): readonly Cell[] {
  const { sign, style } = signs[mark]
  const shown = (kind: keyof typeof cells) =>
    cell(cells[kind].text, { style: cells[kind].isWrong ? 'red' : 'dim' })
  return [
    cell(sign, { style }),
    cell(verdict.name, { style: 'bold' }),
    ...(['exit', 'conduct', 'recovery'] as const).map(shown),
    cell(result, { style }),
    shown('waste'),
  ]
}

/** A situation and how the client did in it, for a log. */
export function verdictLine(verdict: SituationVerdict): string {
  const { result, unmet, reasons } = verdict
  const why = result === 'not-met' ? (unmet ?? '') : reasons.map(({ id }) => id).join(', ')
  const text = `${signs[markOf(verdict)].sign} ${verdict.name}: ${formatResult(verdict)}`
  return printable(why === '' ? text : `${text} (${why})`)
}
