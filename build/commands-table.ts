import { type Command, type CommandGroup, isGroup } from '../src/cli/arguments/command.ts'
import { table } from './table.ts'

const begin = '<!-- The commands, printed from their declarations by npm run generate. -->'
const end = '<!-- End of the commands. -->'

/** The page with its table of commands printed anew. */
export function withCommandsTable(page: string, commands: readonly (Command | CommandGroup)[]): string {
  const [before, rest = ''] = page.split(begin)
  const [, after] = rest.split(end)
  if (before === undefined || after === undefined) throw new Error('The page has no place for the commands')
  const rows = commands.flatMap(one =>
    isGroup(one) ? one.commands.map(own => row(own, `${one.name} ${own.name}`)) : [row(one, one.name)],
  )
  return `${before}${begin}\n\n${table(['command', 'what it does'], rows)}\n\n${end}${after}`
}

function row({ words, runsAnother, about }: Command, path: string): readonly string[] {
  const places = words === undefined ? [] : [...(runsAnother ? ['--'] : []), words.replaceAll('|', '\\|')]
  return [`\`${[path, ...places].join(' ')}\``, about]
}
