import { formatTimes } from '../../base/text/quantities.ts'
import { showFlow } from '../../control/files/show.ts'
import type { Answer } from '../../library/client/ask-plane.ts'
import type { CommandGroup } from '../arguments/command.ts'
import { printable } from '../terminal/printable.ts'
import { listFacts } from '../terminal/quantities.ts'
import type { Session } from './server-command.ts'
import { planeCommand, serverCommand } from './server-command.ts'

export const rules: CommandGroup = {
  name: 'rules',
  about: 'Lists, adds and removes rules that inject faults.',
  commands: [
    planeCommand({
      name: 'list',
      isDefault: true,
      about: 'Lists the rules in the order of their evaluation, with what each did.',
      calls: 'listRules',
      lines: ruleLines,
    }),
    serverCommand({
      name: 'add',
      words: 'FILE',
      about: 'Adds the rules of a YAML or JSON file before all others; - reads standard input.',
      examples: [
        ['$0 rules add failing.yaml', 'the rules of a file'],
        ["echo '{ then: { status: 503 } }' | $0 rules add -", 'a single rule'],
      ],
      notes: [
        'The file has what a scenario file has under rules: a list of rules, a single rule, or a map with rules. The first rule that matches acts. A rule replaces one with the same name.',
      ],
      act: async session => {
        const { addRules } = await import('./add-from-file.ts')
        return addRules(session, rules => session.print({ rules }, answer => ruleLines(answer, session)))
      },
    }),
    planeCommand({
      name: 'remove',
      words: 'NAME',
      about: 'Removes a rule.',
      examples: [['$0 rules remove outage', '']],
      calls: 'removeRule',
      fields: ({ words: [name] }) => ({ name }),
      lines: ({ name, acted }) => [`removed ${printable(name)}  ${actedTimes(acted)}`],
    }),
  ],
}

/** Two lines for each rule: its state, and the rule as a scenario writes it. */
function ruleLines({ rules }: Answer<'listRules'>, { paint }: Pick<Session, 'paint'>): readonly string[] {
  if (rules.length === 0) return [paint('dim', 'There are no rules.')]
  return rules.flatMap(({ name, rule: { name: _name, ...rule }, acted, added, retired }) => {
    const facts = [actedTimes(acted), added ? 'added' : '', retired ? 'retired' : '']
    const head = `${paint('bold', printable(name))}  ${listFacts(facts)}`
    return [head, paint('dim', `  ${printable(showFlow(rule))}`)]
  })
}

function actedTimes(acted: number): string {
  return acted === 0 ? 'never acted' : `acted ${formatTimes(acted)}`
}
