import yargs, { type Argv } from 'yargs'
import { suggest } from '../files/did-you-mean.ts'
import { showValue } from '../files/show.ts'
import type { Command } from './command.ts'
import type { Given } from './read-flags.ts'
import { setAside } from './set-aside.ts'

/** What a command line asks for: a text such as --help, or that a command be run. */
export type CommandLine =
  | { readonly kind: 'tell'; readonly text: string }
  | {
      readonly kind: 'run'
      readonly command: Command
      readonly given: Given
      readonly complaints: readonly string[]
    }

interface Choice {
  readonly command: Command
  readonly args: Readonly<Record<string, unknown>>
}

/** Takes a command line apart; which flags there are and what their values mean is for read-flags.ts to say. */
export function readCommandLine(
  args: readonly string[],
  commands: readonly Command[],
  { version, columns }: { readonly version: string; readonly columns: number },
): CommandLine {
  const { plain, odd } = setAside(args)
  const choices: Choice[] = []
  const parser = createParser(version, columns)
  const main = commands.find(({ isDefault }) => isDefault)
  parser.usage(`$0 [command] [flags]\n\n${main?.about ?? ''}`)
  for (const command of commands) {
    const names = command.isDefault ? [command.name, '$0'] : command.name
    const build = (inner: Argv) => describe(inner, command)
    parser.command(names, command.about, build, args => void choices.push({ command, args }))
  }
  let text = ''
  // With a callback yargs neither prints nor exits: --help and --version come back as text.
  parser.parse(plain, {}, (_error, _args, output) => {
    // The types of flags are said in our words, where they matter.
    text = output.replace(/ +\[boolean\]$/gm, '')
  })
  const [choice] = choices
  return choice === undefined ? { kind: 'tell', text } : run(choice, odd, commands)
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
        'populate--': true,
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

function describe(parser: Argv, { flags, examples, notes }: Command): void {
  const width = Math.max(...Object.values(flags).map(({ value }) => value.length))
  for (const [flag, { alias, about, value, group }] of Object.entries(flags)) {
    const text = `${value.padEnd(width)}  ${about}`
    parser.option(flag, { ...(alias !== undefined && { alias }), group, describe: text })
  }
  for (const [line, about] of examples) parser.example(line, about)
  parser.epilogue(notes.join('\n\n'))
}

/** What yargs puts among the flags: words, itself, and its own flags, which are here only as `--help=false`. */
const reserved: ReadonlySet<string> = new Set(['_', '--', '$0', 'help', 'version'])

function run({ command, args }: Choice, odd: readonly string[], commands: readonly Command[]): CommandLine {
  const given = new Map<string, readonly string[]>(odd.map(flag => [flag, ['']]))
  for (const [name, value] of Object.entries(args)) {
    if (!reserved.has(name) && value !== undefined) given.set(name, textsOf(value))
  }
  const [first, ...others] = textsOf(args._)
  const words = [
    ...(first === undefined || first === command.name ? [] : [first]),
    ...others,
    ...textsOf(args['--']),
  ]
  return { kind: 'run', command, given, complaints: words.map(word => unknownWord(word, command, commands)) }
}

/** To yargs, a flag without a value is `true`. */
function textsOf(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value]
  return values.map(text => (typeof text === 'string' ? text : ''))
}

function unknownWord(word: string, { flags }: Command, commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name)
  const hint = Object.hasOwn(flags, word) ? `; did you mean --${word}?` : suggest(word, names)
  return `${showValue(word)} is not a command${hint || `; known are ${names.join(', ')}`}`
}
