import { checkIds, checks } from '../../../judges/check/checks.ts'
import type { CheckOutcome } from '../../../judges/check/run.ts'
import type { Paint, Style } from '../../terminal/paint.ts'
import { cell, tableLines } from '../../terminal/table.ts'

/** Formats a line for each check: passed, failed or not run, how often, and its source. */
export function checkLines(
  { failed, checked }: CheckOutcome,
  isStrict: boolean,
  paint: Paint,
): readonly string[] {
  const isFailed = new Set(failed.map(({ check }) => check))
  return tableLines(
    checkIds.map(id => {
      const times = checked.get(id) ?? 0
      const [sign, style]: readonly [string, Style] = isFailed.has(id)
        ? checks[id].isAssumed && !isStrict
          ? ['i', 'cyan']
          : ['✕', 'red']
        : times > 0
          ? ['✓', 'green']
          : ['–', 'dim']
      return [
        cell(sign, { style }),
        cell(id, { style: times > 0 ? 'bold' : 'dim' }),
        cell(times === 0 ? '' : `${times}×`, { atRight: true, style: 'dim' }),
        cell(checks[id].says),
        cell(checks[id].source, { style: 'dim' }),
      ]
    }),
    paint,
  )
}
