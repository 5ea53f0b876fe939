import type { SituationVerdict } from '../../../judges/rehearsal/verdict.ts'
import {
  commonFindings,
  commonLines,
  formatConduct,
  formatExitCell,
  formatRecovery,
  formatResult,
  formatWaste,
  markOf,
} from '../../../judges/rehearsal/verdict-texts.ts'
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
  const common = commonFindings(verdicts)
  const rows = [
    heads.map(text => cell(text, { style: 'dim' })),
    ...verdicts.map(verdict => rowOf(verdict, common)),
  ]
  const [sign = 0, name = 0, ...others] = widthsOf(rows)
  const waste = others.pop() ?? 0
  const widths = [sign, Math.min(name, widestName), ...others]
  const left = columns - widths.reduce((sum, width) => sum + width + 2, 0)
  return [
    ...tableLines(rows, paint, [...widths, Math.max(0, Math.min(waste, left))]),
    ...commonLines(verdicts).flatMap(line => ['', paint('dim', line)]),
  ]
}

function rowOf(verdict: SituationVerdict, common: readonly string[]): readonly Cell[] {
  const { sign, style } = signs[markOf(verdict)]
  const partCell = (kind: string, text: string) =>
    cell(text, { style: isWrong(verdict, kind) ? 'red' : 'dim' })
  return [
    cell(sign, { style }),
    cell(verdict.name, { style: 'bold' }),
    partCell('exit', formatExitCell(verdict)),
    partCell('conduct', formatConduct(verdict, common)),
    partCell('recovery', formatRecovery(verdict.recovery)),
    cell(formatResult(verdict), { style }),
    cell(formatWaste(verdict.waste), { style: 'dim' }),
  ]
}

function isWrong({ reasons }: SituationVerdict, kind: string): boolean {
  return reasons.some(reason => reason.kind === kind && !reason.expected)
}

/** A situation and how the client did in it, for a log. */
export function verdictLine(verdict: SituationVerdict): string {
  const { result, unmet, reasons } = verdict
  const why = result === 'not-met' ? (unmet ?? '') : reasons.map(({ id }) => id).join(', ')
  const text = `${signs[markOf(verdict)].sign} ${verdict.name}: ${formatResult(verdict)}`
  return printable(why === '' ? text : `${text} (${why})`)
}
