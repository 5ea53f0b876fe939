import type { RuleState } from '../../library/client/rule-controls.ts'
import type { CommandGroup } from '../arguments/command.ts'
import { serverCommand } from '../remote/server-command.ts'
import { printable } from '../terminal/printable.ts'
import type { Rules } from './show-rules.ts'

export const rules: CommandGroup = {
  name: 'rules',
  about: 'Lists, adds and removes rules that inject faults.',
  commands: [
    serverCommand({
      name: 'list',
      isDefault: true,
      about: 'Lists the rules in the order of their evaluation, with what each did.',
      flags: {},
      act: async session => {
        const listed = await session.ask<Rules>('GET', '/rules')
        const { showRules } = await import('./show-rules.ts')
        showRules(session, listed)
      },
    }),
    serverCommand({
      name: 'add',
      words: 'FILE',
      about: 'Adds the rules of a YAML or JSON file before all others; - reads standard input.',
      flags: {},
      examples: [
        ['$0 rules add failing.yaml', 'the rules of a file'],
        ["echo '{ then: { status: 503 } }' | $0 rules add -", 'a single rule'],
      ],
      notes: [
        'The file has what a scenario file has under rules: a list of rules, a single rule, or a map with rules. The first rule that matches acts. A rule replaces one with the same name.',
      ],
      act: async session => (await import('./add-rules.ts')).addRules(session),
    }),
    serverCommand({
      name: 'remove',
      words: 'NAME',
      about: 'Removes a rule.',
      flags: {},
      examples: [['$0 rules remove outage', '']],
      act: async ({ ask, print, words: [name = ''] }) => {
        const removed = await ask<RuleState>('DELETE', `/rules/${encodeURIComponent(name)}`)
        const { actedTimes } = await import('./show-rules.ts')
        print(removed, ({ name, acted }) => [`removed ${printable(name)}  ${actedTimes(acted)}`])
      },
    }),
  ],
}
