import { type Command, type CommandGroup, isGroup } from './command.ts'
import type { FlagTexts } from './read-flags.ts'

/** A command line as words and flags. A flag that no command has keeps the name that was typed. */
export interface SplitArguments {
  readonly words: readonly string[]
  readonly flags: FlagTexts
}

/** Splits a command line without knowing its command, which may follow its flags: `--port 80 serve`. */
export function splitArguments(
  args: readonly string[],
  commands: readonly (Command | CommandGroup)[],
): SplitArguments {
  const { switches, letters } = spellingOf(commands)
  const words: string[] = []
  const flags = new Map<string, string[]>()
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? ''
    const flag = readFlag(arg, letters)
    if (flag === undefined) {
      words.push(arg)
      continue
    }
    let { text } = flag
    // An unknown flag takes the next word, too: it is probably a misspelt flag with a value.
    if (text === undefined && !switches.has(flag.name) && isValue(args[at + 1])) {
      at += 1
      text = args[at]
    }
    flags.set(flag.name, [...(flags.get(flag.name) ?? []), text ?? ''])
  }
  return { words, flags }
}

/** The flags without a value, and the letters of flags. All commands agree on them. */
function spellingOf(commands: readonly (Command | CommandGroup)[]) {
  const flags = commands
    .flatMap(command => (isGroup(command) ? command.commands : [command]))
    .flatMap(command => Object.entries(command.flags))
  return {
    switches: new Set([
      'help',
      'version',
      ...flags.flatMap(([name, { value }]) => (value === '' ? [name] : [])),
    ]),
    letters: new Map([
      ['h', 'help'],
      ['v', 'version'],
      ...flags.flatMap(([name, { alias }]) => (alias === undefined ? [] : [[alias, name] as const])),
    ]),
  }
}

/** Reads `--name`, `--name=text`, `-n`, `-n=text` and `-n1`. Other arguments with a dash are unknown flags. */
function readFlag(
  arg: string,
  letters: ReadonlyMap<string, string>,
): { readonly name: string; readonly text?: string | undefined } | undefined {
  const [, name, value] = /^--([^=]+)(?:=(.*))?$/s.exec(arg) ?? []
  if (name !== undefined) return { name, text: value }
  const [, letter, rest = ''] = /^-([A-Za-z])(|[^A-Za-z].*)$/s.exec(arg) ?? []
  if (letter !== undefined)
    return { name: letters.get(letter) ?? letter, text: rest === '' ? undefined : rest.replace(/^=/, '') }
  return isValue(arg) ? undefined : { name: arg.replace(/=.*/s, '') }
}

/** Negative numbers and `-` are values. */
function isValue(arg: string | undefined): boolean {
  return arg !== undefined && /^(?!-)|^-(?:\d|$)/.test(arg)
}
