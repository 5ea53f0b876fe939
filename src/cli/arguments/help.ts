import yargs from 'yargs'
import { wrap } from '../terminal/printable.ts'
import { type Command, type CommandGroup, isGroup } from './command.ts'

/** What --help is about. The path is shorter than the names of a default command. */
export interface HelpTopic {
  readonly path: readonly string[]
  readonly group: CommandGroup | undefined
  readonly command: Command | undefined
  readonly commands: readonly (Command | CommandGroup)[]
}

export async function formatHelp(
  { path, group, command, commands }: HelpTopic,
  columns: number,
): Promise<string> {
  const isUnnamed = path.length < (group === undefined ? 1 : 2)
  const listed = isUnnamed ? (group?.commands ?? commands) : []
  const about = (isUnnamed ? group?.about : undefined) ?? command?.about ?? ''
  const width = Math.min(columns, 110)
  const head = [
    ['pet-mock', ...path, ...placesOf(listed, path, command)].join(' '),
    wrap(about, width).join('\n'),
    ...commandLists(listed, width),
  ]
  // yargs would list all commands under one title.
  const help = yargs([])
    .parserConfiguration({ 'camel-case-expansion': false, 'dot-notation': false })
    .scriptName('')
    .detectLocale(false)
    .wrap(width)
  const flags = Object.entries(command?.flags ?? {}).toSorted(
    ([, a], [, b]) => groups.indexOf(a.group) - groups.indexOf(b.group),
  )
  for (const [name, { alias, value, about, fallback, defaultText, group }] of flags) {
    const usual =
      defaultText ?? (typeof fallback === 'string' || typeof fallback === 'number' ? fallback : '')
    // yargs has no placeholders for values, but prints a name as it is.
    help.option(`${name} ${value}`.trimEnd(), {
      ...(alias !== undefined && { alias }),
      group,
      describe: usual === '' ? about : `${about} [${usual}]`,
    })
  }
  help
    .help(false)
    .version(false)
    .option('help', { alias: 'h', group: 'Other:', describe: 'show this help' })
    .option('version', { alias: 'v', group: 'Other:', describe: 'show the version' })
  const examples = (command?.examples ?? []).map(
    ([line, about]) => [line.replace('$0', 'pet-mock'), about] as const,
  )
  // yargs would break a line that needs more than half of the width.
  const areShort = examples.every(([line]) => line.length <= width / 2)
  for (const [line, about] of examples) {
    if (areShort) help.example(line, about)
    else help.example(`# ${about}\n${line}`, '')
  }
  const rest = await help.epilogue((command?.notes ?? []).join('\n\n')).getHelp()
  return [...head, rest].join('\n\n')
}

function commandLists(listed: HelpTopic['commands'], width: number): readonly string[] {
  const room = Math.max(0, ...listed.map(({ name }) => name.length)) + 4
  const sections = [...new Set(listed.map(({ section = 'Commands:' }) => section))]
  return sections.map(title => {
    const lines = listed
      .filter(({ section = 'Commands:' }) => section === title)
      .flatMap(one => {
        const about = !isGroup(one) && one.isDefault ? `${one.about} [default]` : one.about
        const [first = '', ...more] = wrap(about, Math.max(20, width - room))
        return [`  ${one.name}`.padEnd(room) + first, ...more.map(line => ' '.repeat(room) + line)]
      })
    return [title, ...lines].join('\n')
  })
}

export const groups: readonly string[] = [
  'The service:',
  'Which server:',
  'Against a server:',
  'Scenario:',
  'Server:',
  'Situations:',
  'Search:',
  'Runs:',
  'The command:',
  'Which requests:',
  'Which pets:',
  'The pet:',
  'Calls and waits:',
  'Plans:',
  'The recording:',
  'Options:',
  'Findings:',
]

/** The words that may follow in the first line. */
function placesOf(
  listed: HelpTopic['commands'],
  path: readonly string[],
  command: Command | undefined,
): readonly string[] {
  if (listed.length > 0) return [path.length === 0 ? '[command]' : 'COMMAND', '[flags]']
  const words = command?.words === undefined ? [] : [command.words]
  return command?.runsAnother ? ['[flags]', '--', ...words] : [...words, '[flags]']
}
