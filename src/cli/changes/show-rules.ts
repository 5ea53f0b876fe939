import { groupDigits } from '../../base/text/quantities.ts'
import { showFlow } from '../../control/files/show.ts'
import type { RuleState } from '../../library/client/rule-controls.ts'
import type { Session } from '../remote/session.ts'
import { printable } from '../terminal/printable.ts'
import { listFacts } from '../terminal/quantities.ts'

export interface Rules {
  readonly rules: readonly RuleState[]
}

/** Two lines for each rule: its state, and the rule as a scenario writes it. */
export function showRules({ print, paint }: Session, answer: Rules): void {
  print(answer, ({ rules }) =>
    rules.length === 0
      ? [paint('dim', 'There are no rules.')]
      : rules.flatMap(({ name, rule: { name: _name, ...rule }, acted, added, retired }) => {
          const facts = [actedTimes(acted), added ? 'added' : '', retired ? 'retired' : '']
          const head = `${paint('bold', printable(name))}  ${listFacts(facts)}`
          return [head, paint('dim', `  ${printable(showFlow(rule))}`)]
        }),
  )
}

export function actedTimes(acted: number): string {
  if (acted === 0) return 'never acted'
  return acted === 1 ? 'acted once' : `acted ${groupDigits(acted)} times`
}
