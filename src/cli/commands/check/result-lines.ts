import { checkIds, checks } from '../../../judges/check/calls/checks.ts'
import type { CheckOutcome } from '../../../judges/check/run.ts'
import type { Paint, Style } from '../../terminal/paint.ts'
import { cell, tableLines } from '../../terminal/table.ts'

/** Formats a line for each check: passed, failed or not checked, how often, and its source or why it was not checked. */
export function checkLines(
  { failed, checked, notChecked }: CheckOutcome,
  isStrict: boolean,
  paint: Paint,
): readonly string[] {
  const isFailed = new Set(failed.map(({ check }) => check))
  const reasons = new Map(notChecked.map(({ id, reason }) => [id, reason]))
  return tableLines(
    checkIds.map(id => {
      const times = checked.get(id) ?? 0
      const [sign, style]: readonly [string, Style] = isFailed.has(id)
        ? checks[id].isAssumed && !isStrict
          ? ['i', 'cyan']
          : ['✕', 'red']
        : times > 0 && !reasons.has(id)
          ? ['✓', 'green']
          : ['–', 'dim']
      return [
        cell(sign, { style }),
        cell(id, { style: times > 0 ? 'bold' : 'dim' }),
        cell(times === 0 ? '' : `${times}×`, { atRight: true, style: 'dim' }),
        cell(checks[id].says),
        cell(reasons.get(id) ?? checks[id].source, { style: 'dim' }),
      ]
    }),
    paint,
  )
}
