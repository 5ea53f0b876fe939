import { wrap } from '../terminal/printable.ts'
import { type Command, type CommandGroup, isGroup } from './command.ts'
import type { Flag } from './flag.ts'

/** What --help is about. The path is shorter than the names of a default command. */
export interface HelpTopic {
  readonly path: readonly string[]
  readonly group: CommandGroup | undefined
  readonly command: Command | undefined
  readonly commands: readonly (Command | CommandGroup)[]
}

export function formatHelp({ path, group, command, commands }: HelpTopic, columns: number): string {
  const width = Math.min(columns, 110)
  const isUnnamed = path.length < (group === undefined ? 1 : 2)
  const listed = isUnnamed ? (group?.commands ?? commands) : []
  const about = (isUnnamed ? group?.about : undefined) ?? command?.about ?? ''
  const flags = Object.entries(command?.flags ?? {})
  const groups = [...new Set(flags.map(([, { group }]) => group))]
  const paragraphs = [
    [['pet-mock', ...path, ...placesOf(listed, path, command)].join(' ')],
    wrap(about, width),
    section(
      'Commands:',
      listed.map(one => [one.name, !isGroup(one) && one.isDefault ? `${one.about} [default]` : one.about]),
      width,
    ),
    ...groups.map(group =>
      section(group, flags.filter(([, flag]) => flag.group === group).map(flagRow), width),
    ),
    section('Other:', otherFlags, width),
    section('Examples:', examplesOf(command), width),
    ...(command?.notes ?? []).map(note => wrap(note, width)),
  ]
  return paragraphs
    .filter(lines => lines.length > 0)
    .map(lines => lines.join('\n'))
    .join('\n\n')
}

const otherFlags: readonly Row[] = [
  ['-h, --help', 'show this help'],
  ['-v, --version', 'show the version'],
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

function flagRow([name, { alias, value, about, fallback, defaultText }]: readonly [
  name: string,
  flag: Flag<unknown>,
]): Row {
  const short = alias === undefined ? '    ' : `-${alias}, `
  const usual = defaultText ?? (typeof fallback === 'string' || typeof fallback === 'number' ? fallback : '')
  return [`${short}--${name} ${value}`.trimEnd(), usual === '' ? about : `${about} [${usual}]`]
}

function examplesOf(command: Command | undefined): readonly Row[] {
  return (command?.examples ?? []).map(([line, about]) => [line.replace('$0', 'pet-mock'), about])
}

type Row = readonly [label: string, text: string]

/** A title and two columns. A label that is too long for its column has a line of its own. */
function section(title: string, rows: readonly Row[], width: number): readonly string[] {
  if (rows.length === 0) return []
  const most = Math.min(Math.floor(width * 0.45), Math.max(8, width - 28))
  const labels = rows.map(([label]) => label.length).filter(length => length <= most)
  const indent = 2 + (labels.length === 0 ? Math.min(most, 8) : Math.max(...labels)) + 2
  return [
    title,
    ...rows.flatMap(([label, text]) => {
      const [first = '', ...rest] = wrap(text, width - indent)
      const blank = ' '.repeat(indent)
      const head = `  ${label}`
      const lines =
        head.length + 2 > indent
          ? [...wrapExample(head, width), ...(first === '' ? [] : [blank + first])]
          : [head.padEnd(indent) + first]
      return [...lines, ...rest.map(line => blank + line)].map(line => line.trimEnd())
    }),
  ]
}

/** A command line too long for the terminal continues with an indent. */
function wrapExample(line: string, width: number): readonly string[] {
  return line.length <= width
    ? [line]
    : wrap(line, width - 6).map((part, at) => `${' '.repeat(at === 0 ? 2 : 6)}${part}`)
}
