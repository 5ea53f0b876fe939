import yargs, { type Argv } from 'yargs'
import { type Command, type CommandArguments, type CommandGroup, isGroup } from './command.ts'
import { countWords } from './count-words.ts'
import { missingDashes, splitAtDashes } from './dashes.ts'
import { formatHelp } from './help.ts'
import { setAside } from './protect-flags.ts'
import { unknownWord } from './unknown-word.ts'

/** The meaning of a command line. read-flags.ts reads the values of its flags. */
export type CommandLine =
  /** --help or --version. */
  | { readonly kind: 'print'; readonly text: string }
  | ({ readonly kind: 'run'; readonly command: Command } & CommandArguments)
  | { readonly kind: 'refuse'; readonly complaints: readonly string[] }

type Commands = readonly (Command | CommandGroup)[]

interface Choice {
  /** The names of the group and the command. */
  readonly path: readonly string[]
  readonly of: Command | CommandGroup
  readonly args: Readonly<Record<string, unknown>>
}

interface Terminal {
  readonly version: string
  readonly columns: number
}

export function readCommandLine(
  args: readonly string[],
  commands: Commands,
  { version, columns }: Terminal,
): CommandLine {
  const { before, after } = splitAtDashes(args)
  const { plain, odd, assigned } = setAside(before, commands.flatMap(switchesOf))
  const choice = choose(plain, commands)
  if (choice === undefined || choice.args.version === true) return { kind: 'print', text: version }
  const { of, path } = choice
  const words = textsOf(choice.args._)
  const unnamed = path.findIndex((name, at) => words[at] !== name)
  const named = unnamed === -1 ? path : path.slice(0, unnamed)
  const own = words.slice(named.length)
  const group = commands.filter(isGroup).find(({ name }) => name === path[0])
  if (choice.args.help === true || (isGroup(of) && own.length === 0)) {
    const listed = named.length === 0 ? commands : named.length < 2 ? (group?.commands ?? []) : []
    const about = (named.length < 2 && group?.about) || of.about
    const command = isGroup(of) ? undefined : of
    return { kind: 'print', text: formatHelp({ path: named, about, listed, command }, columns) }
  }
  const [word] = own
  if (isGroup(of)) return { kind: 'refuse', complaints: own.slice(0, 1).map(one => unknownWord(one, of)) }
  if (of.runsAnother && word !== undefined)
    return { kind: 'refuse', complaints: [missingDashes(word, path, args)] }
  const given = flagTexts(choice.args, [...odd.map(flag => [flag, ''] as const), ...assigned])
  return {
    kind: 'run',
    command: of,
    given,
    ...readWords(of, path, [...own, ...after], group ?? { commands }),
  }
}

/** The words of a command, or a complaint about each word of a command that takes none. */
function readWords(
  command: Command,
  path: readonly string[],
  words: readonly string[],
  among: { readonly name?: string; readonly commands: Commands },
): Pick<CommandArguments, 'words' | 'complaints'> {
  if (command.words === undefined)
    return { words: [], complaints: words.map(word => unknownWord(word, among, command)) }
  return { words, complaints: command.runsAnother ? [] : countWords(path, command.words, words) }
}

/** The flags of a command that take no value. */
function switchesOf(command: Command | CommandGroup): readonly string[] {
  if (isGroup(command)) return command.commands.flatMap(switchesOf)
  return Object.entries(command.flags).flatMap(([name, { value }]) => (value === '' ? [name] : []))
}

/** Lets yargs find the command and take the flags apart. Undefined without a default command. */
function choose(args: readonly string[], commands: Commands): Choice | undefined {
  let choice: Choice | undefined
  const parser = yargs([])
    // Values stay as typed, and names mean what they say.
    .parserConfiguration({
      'boolean-negation': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'strip-aliased': true,
    })
    .detectLocale(false)
    .exitProcess(false)
    .fail(false)
    .help(false)
    .version(false)
    .option('help', { alias: 'h', boolean: true })
    .option('version', { alias: 'v', boolean: true })
  for (const command of commands)
    add(parser, command, [], chosen => {
      choice = chosen
    })
  parser.parseSync(args)
  return choice
}

function add(
  parser: Argv,
  command: Command | CommandGroup,
  above: readonly string[],
  choose: (choice: Choice) => void,
): void {
  const path = [...above, command.name]
  const build = (inner: Argv) => {
    if (isGroup(command)) {
      for (const one of command.commands) add(inner, one, path, choose)
      return
    }
    for (const [flag, { alias, value }] of Object.entries(command.flags)) {
      // Otherwise yargs would take the word after a switch as its value.
      inner.option(flag, { ...(alias !== undefined && { alias }), ...(value === '' && { boolean: true }) })
    }
  }
  const names = !isGroup(command) && command.isDefault ? [command.name, '$0'] : command.name
  parser.command(names, '', build, args => choose({ path, of: command, args }))
}

/** What yargs adds to the flags, and the flags of all commands. */
const reserved: ReadonlySet<string> = new Set(['_', '$0', 'help', 'version'])

function flagTexts(
  args: Choice['args'],
  aside: readonly (readonly [flag: string, text: string])[],
): CommandArguments['given'] {
  const given = new Map<string, readonly string[]>(aside.map(([flag, text]) => [flag, [text]]))
  for (const [name, value] of Object.entries(args)) {
    if (!reserved.has(name) && value !== undefined) given.set(name, textsOf(value))
  }
  return given
}

/** yargs gives `true` for a flag without a value. */
function textsOf(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value]
  return values.map(text => (typeof text === 'string' ? text : text === false ? 'false' : ''))
}
