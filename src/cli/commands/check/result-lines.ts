import { groupDigits } from '../../../base/text/quantities.ts'
import { checkIds, checks } from '../../../judges/check/calls/checks.ts'
import type { CheckOutcome } from '../../../judges/check/run.ts'
import type { Paint, Style } from '../../terminal/paint.ts'
import { cell, tableLines } from '../../terminal/table.ts'

/** Formats a line for each check that was made: passed or failed, how often, and its source. The report lists the others by reason. */
export function checkLines(
  { failed, checked, notChecked }: CheckOutcome,
  isStrict: boolean,
  paint: Paint,
): readonly string[] {
  const isFailed = new Set(failed.map(({ check }) => check))
  const reasons = new Map(notChecked.map(({ id, reason }) => [id, reason]))
  return tableLines(
    checkIds
      .filter(id => checked.has(id))
      .map(id => {
        const times = checked.get(id) ?? 0
        const [sign, style]: readonly [string, Style] = isFailed.has(id)
          ? checks[id].isAssumed && !isStrict
            ? ['i', 'cyan']
            : ['✕', 'red']
          : !reasons.has(id)
            ? ['✓', 'green']
            : ['–', 'dim']
        return [
          cell(sign, { style }),
          cell(id, { style: 'bold' }),
          cell(`${groupDigits(times)}×`, { atRight: true, style: 'dim' }),
          cell(checks[id].says),
          cell(reasons.get(id) ?? checks[id].source, { style: 'dim' }),
        ]
      }),
    paint,
  )
}
