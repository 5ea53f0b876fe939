import { isAssumed, ruleIds, rules, tellSource } from '../../../judges/check/checks.ts'
import type { CheckOutcome } from '../../../judges/check/run.ts'
import type { Paint, Style } from '../../terminal/paint.ts'
import { cell, tableLines } from '../../terminal/table.ts'

type Verdict = readonly [sign: string, style: Style]

/** A line for each rule: kept, broken, or not looked at, how often, and where it is from. */
export function checkLines(
  { broken, checked }: CheckOutcome,
  isStrict: boolean,
  paint: Paint,
): readonly string[] {
  const isBroken = new Set(broken.map(({ rule }) => rule))
  return tableLines(
    ruleIds.map(id => {
      const times = checked.get(id) ?? 0
      const [sign, style]: Verdict = isBroken.has(id)
        ? isAssumed(id) && !isStrict
          ? ['i', 'cyan']
          : ['✕', 'red']
        : times > 0
          ? ['✓', 'green']
          : ['–', 'dim']
      return [
        cell(sign, { style }),
        cell(id, { style: times > 0 ? 'bold' : 'dim' }),
        cell(times === 0 ? '' : `${times}×`, { atRight: true, style: 'dim' }),
        cell(rules[id].says),
        cell(tellSource(rules[id].source), { style: 'dim' }),
      ]
    }),
    paint,
  )
}
