import yargs, { type Argv } from 'yargs'
import type { Command, CommandArguments, CommandGroup } from './command.ts'
import { countWords } from './count-words.ts'
import { missingDashes, splitAtDashes } from './dashes.ts'
import { setAside } from './protect-flags.ts'
import { unknownWord } from './unknown-word.ts'

/** What a command line asks for: a text such as --help, or that a command be run. */
export type CommandLine =
  | { readonly kind: 'tell'; readonly text: string }
  | ({ readonly kind: 'run'; readonly command: Command } & CommandArguments)
  /** The words after a group's name are no command of it. */
  | { readonly kind: 'refuse'; readonly complaints: readonly string[] }

interface Choice {
  /** The group's name before the command's, if it is of one. */
  readonly path: readonly string[]
  readonly of: Command | CommandGroup
  readonly args: Readonly<Record<string, unknown>>
}

interface Terminal {
  readonly version: string
  readonly columns: number
}

/** Takes a command line apart; which flags there are and what their values mean is for read-flags.ts to say. */
export function readCommandLine(
  args: readonly string[],
  commands: readonly (Command | CommandGroup)[],
  terminal: Terminal,
): CommandLine {
  const { before, after } = splitAtDashes(args)
  const switches = commands.flatMap(switchesOf)
  const { plain, odd, said } = setAside(before, switches)
  const choices: Choice[] = []
  const parser = createParser(terminal.version, terminal.columns)
  const main = commands.find(command => !isGroup(command) && command.isDefault)
  parser.usage(`$0 [command] [flags]\n\n${main?.about ?? ''}`)
  for (const command of commands) add(parser, command, [], choice => choices.push(choice))
  let text = ''
  // With a callback yargs neither prints nor exits: --help and --version come back as text.
  parser.parse(plain, {}, (_error, _args, output) => {
    // The types of flags are said in our words, where they matter.
    text = output.replace(/ *\[boolean\]$/gm, '')
  })
  const [choice] = choices
  if (choice === undefined) return { kind: 'tell', text }
  const { of, path } = choice
  if (!isGroup(of)) {
    const typed = textsOf(choice.args._)
    const named = path.findIndex((name, at) => typed[at] !== name)
    const own = named === -1 ? typed.slice(path.length) : typed.slice(named)
    const [word] = own
    if (of.runsAnother && word !== undefined)
      return { kind: 'refuse', complaints: [missingDashes(word, path, args)] }
    const aside = [...odd.map(flag => [flag, ''] as const), ...said]
    const above = commands.find(({ name }) => name === path[0])
    return run(
      of,
      path,
      choice.args,
      aside,
      [...own, ...after],
      above !== undefined && isGroup(above) ? above : commands,
    )
  }
  const [, word] = textsOf(choice.args._)
  // A group by itself does nothing but tell what it has.
  if (word === undefined) return readCommandLine([...path, '--help'], commands, terminal)
  return { kind: 'refuse', complaints: [unknownWord(word, undefined, of.commands, ` of ${path.join(' ')}`)] }
}

/** The flags of a command that take no value. */
function switchesOf(command: Command | CommandGroup): readonly string[] {
  if (isGroup(command)) return command.commands.flatMap(switchesOf)
  return Object.entries(command.flags).flatMap(([name, { value }]) => (value === '' ? [name] : []))
}

function isGroup(command: Command | CommandGroup): command is CommandGroup {
  return 'commands' in command
}

function add(
  parser: Argv,
  command: Command | CommandGroup,
  above: readonly string[],
  choose: (choice: Choice) => void,
): void {
  const path = [...above, command.name]
  const handle = (args: Choice['args']) => choose({ path, of: command, args })
  if (isGroup(command)) {
    const build = (inner: Argv) => {
      inner.usage(`$0 ${path.join(' ')} COMMAND [flags]\n\n${command.about}`)
      for (const one of command.commands) add(inner, one, path, choose)
      return inner
    }
    parser.command(command.name, command.about, build, handle)
    return
  }
  const build = (inner: Argv) => {
    if (command.isDefault !== true) {
      inner.usage(`$0 ${path.join(' ')}${shape(command)}\n\n${command.about}`)
    }
    describe(inner, command)
  }
  parser.command(command.isDefault ? [command.name, '$0'] : command.name, command.about, build, handle)
}

/** What follows a command's name, as its --help shows it. */
function shape({ words = '', runsAnother }: Command): string {
  if (runsAnother) return ` [flags] -- ${words}`
  return `${words === '' ? '' : ` ${words}`} [flags]`
}

function createParser(version: string, columns: number): Argv {
  return (
    yargs([])
      .scriptName('pet-mock')
      // Values stay the texts that were typed, and names mean what they say.
      .parserConfiguration({
        'boolean-negation': false,
        'camel-case-expansion': false,
        'dot-notation': false,
        'parse-numbers': false,
        'parse-positional-numbers': false,
        'strip-aliased': true,
      })
      .detectLocale(false)
      .updateStrings({ 'Options:': 'Further:' })
      .wrap(Math.min(columns, 110))
      .exitProcess(false)
      .fail(false)
      .help('help', 'show this help')
      .alias('help', 'h')
      .version('version', 'show the version', version)
      .alias('version', 'v')
  )
}

function describe(parser: Argv, { flags, examples = [], notes = [] }: Command): void {
  const width = Math.max(0, ...Object.values(flags).map(({ value }) => value.length))
  for (const [flag, { alias, about, value, group }] of Object.entries(flags)) {
    const text = `${value.padEnd(width)}  ${about}`
    // Else yargs would take the word after a switch for its value.
    const isSwitch = value === '' ? { boolean: true } : {}
    parser.option(flag, { ...(alias !== undefined && { alias }), ...isSwitch, group, describe: text })
  }
  for (const [line, about] of examples) parser.example(line, about)
  parser.epilogue(notes.join('\n\n'))
}

/** What yargs puts among the flags: words, itself, and its own flags, which are here only as `--help=false`. */
const reserved: ReadonlySet<string> = new Set(['_', '$0', 'help', 'version'])

function run(
  command: Command,
  path: readonly string[],
  args: Choice['args'],
  aside: readonly (readonly [flag: string, text: string])[],
  words: readonly string[],
  among: CommandGroup | readonly (Command | CommandGroup)[],
): CommandLine {
  const given = new Map<string, readonly string[]>(aside.map(([flag, text]) => [flag, [text]]))
  for (const [name, value] of Object.entries(args)) {
    if (!reserved.has(name) && value !== undefined) given.set(name, textsOf(value))
  }
  if (command.words !== undefined) {
    const complaints = command.runsAnother ? [] : countWords(path, command.words, words)
    return { kind: 'run', command, given, complaints, words }
  }
  const complaints = words.map(word =>
    'commands' in among
      ? unknownWord(word, command, among.commands, ` of ${among.name}`)
      : unknownWord(word, command, among),
  )
  return { kind: 'run', command, given, complaints, words: [] }
}

/** To yargs, a flag without a value is `true`. */
function textsOf(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value]
  return values.map(text => (typeof text === 'string' ? text : text === false ? 'false' : ''))
}
