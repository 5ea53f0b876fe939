import parse from 'yargs-parser'
import { type Command, type CommandGroup, isGroup } from './command.ts'
import type { FlagTexts } from './flag.ts'

/** A command line as words and flags. A flag that no command has keeps the name that was typed. */
interface ParsedArguments {
  readonly words: readonly string[]
  /** The words after `--`. */
  readonly after: readonly string[]
  readonly flags: FlagTexts
}

/** Parses a command line without knowing its command, which may follow its flags: `--port 80 serve`. */
export function parseArguments(
  args: readonly string[],
  commands: readonly (Command | CommandGroup)[],
): ParsedArguments {
  // All commands agree on which flags take a value, and on their letters.
  const flags = commands
    .flatMap(command => (isGroup(command) ? command.commands : [command]))
    .flatMap(command => Object.entries(command.flags))
  const switches = ['help', 'version', ...flags.flatMap(([name, { value }]) => (value === '' ? [name] : []))]
  const end = args.includes('--') ? args.indexOf('--') : args.length
  const before = args.slice(0, end)
  const { _: words, ...given } = parse(before.map(escapeDashes), {
    alias: {
      help: 'h',
      version: 'v',
      ...Object.fromEntries(
        flags.flatMap(([name, { alias }]) => (alias === undefined ? [] : [[name, alias]])),
      ),
    },
    // The parser would read each text of a switch, as in `--watch=on`, as false.
    boolean: switches.filter(name => !before.some(arg => arg.startsWith(`--${name}=`))),
    configuration: {
      'boolean-negation': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'strip-aliased': true,
    },
  })
  return {
    words: textsOf(words),
    after: args.slice(end + 1),
    flags: new Map(Object.entries(given).map(([name, values]) => [name, textsOf(values)])),
  }
}

/**
 * The parser would read `-port` as four flags, `-s2.yaml` as seven and the value `-1h` as two. Three dashes make one flag of the
 * first, `=` one of the second, and NUL, which no command line contains, a value of the third.
 */
function escapeDashes(arg: string): string {
  return arg
    .replace(/^-(?=[A-Za-z]{2})/, '---')
    .replace(/^(-[A-Za-z])(?=[^A-Za-z=])/, '$1=')
    .replace(/^-(?=\d|$)/, '\0-')
}

/** The parser gives `true` for a flag without a value. */
function textsOf(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value]
  return values.map(text => (text === true ? '' : String(text).replace('\0', '')))
}
