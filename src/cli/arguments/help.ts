import yargs from 'yargs'
import { wrap } from '../terminal/text.ts'
import { type Command, type CommandGroup, type Commands, isGroup } from './command.ts'

/** What --help is about. The path is shorter than the names of a default command. */
export interface HelpTopic {
  readonly path: readonly string[]
  readonly group: CommandGroup | undefined
  readonly command: Command | undefined
  readonly commands: Commands
  readonly isAll?: boolean
}

/** The flags of the default command that a newcomer needs. */
const firstFlags: ReadonlySet<string> = new Set(['scenario', 'clock', 'add-key', 'fixtures', 'port'])
const whereMoreIs =
  'All flags of the server: pet-mock serve --help. Of a command: pet-mock COMMAND --help. Everything: pet-mock help --all. The shipped scenarios: pet-mock scenarios list.'

export async function formatHelp(topic: HelpTopic, columns: number): Promise<string> {
  if (topic.isAll !== true) return formatTopic(topic, columns)
  const { commands } = topic
  const topics = commands.flatMap((one): readonly HelpTopic[] =>
    isGroup(one)
      ? one.commands.map(command => ({ path: [one.name, command.name], group: one, command, commands }))
      : [{ path: [one.name], group: undefined, command: one, commands }],
  )
  const texts = await Promise.all([topic, ...topics].map(one => formatTopic(one, columns)))
  return texts.join('\n\n\n')
}

async function formatTopic({ path, group, command, commands }: HelpTopic, columns: number): Promise<string> {
  const isFirst = path.length === 0
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
  const all = Object.entries(command?.flags ?? {})
  const flags = (isFirst ? all.filter(([name]) => firstFlags.has(name)) : all).toSorted(
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
  const examples = (command?.examples ?? [])
    .slice(0, isFirst ? 3 : undefined)
    .map(([line, about]) => [line.replace('$0', 'pet-mock'), about] as const)
  // yargs would break a line that needs more than half of the width.
  const areShort = examples.every(([line]) => line.length <= width / 2)
  for (const [line, about] of examples) {
    if (areShort) help.example(line, about)
    else help.example(`# ${about}\n${line}`, '')
  }
  const notes = isFirst ? [whereMoreIs] : (command?.notes ?? [])
  const rest = await help.epilogue(notes.join('\n\n')).getHelp()
  return [...head, rest].join('\n\n')
}

function commandLists(listed: Commands, width: number): readonly string[] {
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
  'The key:',
  'Calls and waits:',
  'The fleet:',
  'Plans:',
  'The recording:',
  'Options:',
  'What if:',
  'Findings:',
]

/** The words that may follow in the first line. */
function placesOf(listed: Commands, path: readonly string[], command?: Command): readonly string[] {
  if (listed.length > 0) return [path.length === 0 ? '[command]' : 'COMMAND', '[flags]']
  const words = command?.words === undefined ? [] : [command.words]
  return command?.runsAnother ? ['[flags]', '--', ...words] : [...words, '[flags]']
}
