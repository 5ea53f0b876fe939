import parse from 'yargs-parser'
import { didYouMean, suggest } from '../../base/text/did-you-mean.ts'
import { showValue } from '../../control/files/show.ts'
import { shellWords } from '../terminal/text.ts'
import { type Command, type CommandArguments, type Commands, isGroup } from './command.ts'
import type { HelpTopic } from './help.ts'
import { areAlike, explainOtherWord, explainScenarioWord, hostAfterHelp, isOtherWord } from './other-tools.ts'

type CommandLine =
  | { readonly kind: 'version' }
  | ({ readonly kind: 'help' } & HelpTopic)
  | ({ readonly kind: 'run'; readonly command: Command } & Omit<CommandArguments, 'loadCommands'>)
  | { readonly kind: 'refuse'; readonly complaints: readonly string[] }

export function readCommandLine(args: readonly string[], commands: Commands): CommandLine {
  const { words, after, flags } = parseArguments(args, commands)
  if (flags.has('version')) return { kind: 'version' }
  const isHelp = words[0] === 'help'
  const { group, command, path } = findCommand(isHelp ? words.slice(1) : words, commands)
  const own = words.slice(path.length + (isHelp ? 1 : 0))
  const [word] = own
  const host = hostAfterHelp(args)
  if (host !== undefined && command !== undefined && Object.hasOwn(command.flags, 'host'))
    return refuse(
      command.runsAnother && word !== undefined
        ? missingDashes(word, path, args)
        : `-h shows help; did you mean --host ${host}?`,
    )
  if (isHelp && own.length > 0 && command?.words === undefined)
    return refuse(unknownWord(own[0] ?? '', group ?? { commands }))
  if (isHelp || flags.has('help') || (command === undefined && word === undefined))
    return { kind: 'help', path, group, command, commands, isAll: isHelp && flags.has('all') }
  const among = group ?? { commands }
  if (command === undefined) return refuse(...own.slice(0, 1).map(one => unknownWord(one, among)))
  if (command.runsAnother && word !== undefined) return refuse(missingDashes(word, path, args))
  const all = [...own, ...after]
  const line = { kind: 'run', command, given: flags } as const
  if (command.words === undefined) {
    // What follows an unknown command of a group, or one of another tool, belongs to it.
    const isNamed = group === undefined ? !isOtherWord(all[0]) : path.length === 2
    const unknown = isNamed ? all : all.slice(0, 1)
    return { ...line, words: [], complaints: unknown.map(one => unknownWord(one, among, command)) }
  }
  const complaints = command.runsAnother ? [] : countWords(path, command.words, all)
  return { ...line, words: all, complaints }
}

function refuse(...complaints: readonly string[]): CommandLine {
  return { kind: 'refuse', complaints }
}

/**
 * The same for a line with nothing but flags of the default command, without knowing the others; undefined for any other line.
 * All commands agree on their flags, so only a flag or a word of another command can change how a line is split.
 */
export function readPlainLine(args: readonly string[], command: Command): CommandLine | undefined {
  const { words, after, flags } = parseArguments(args, [command])
  const isNamed = words.length === 1 && words[0] === command.name
  const isPlain =
    (words.length === 0 || isNamed) &&
    after.length === 0 &&
    [...flags.keys()].every(name => Object.hasOwn(command.flags, name))
  return isPlain ? { kind: 'run', command, given: flags, words: [], complaints: [] } : undefined
}

/** The command that the first words name, or the default one. `path` has the words that belong to its name. */
export function findCommand(words: readonly string[], commands: Commands) {
  const [first, second] = words
  const named = commands.find(({ name }) => name === first)
  const group = named !== undefined && isGroup(named) ? named : undefined
  const candidates = group?.commands ?? commands.flatMap(one => (isGroup(one) ? [] : [one]))
  const name = group === undefined ? first : second
  const command = candidates.find(one => one.name === name)
  const length = (group === undefined ? 0 : 1) + (command === undefined ? 0 : 1)
  return { group, command: command ?? candidates.find(one => one.isDefault), path: words.slice(0, length) }
}

/** A complaint about a command line that starts at `word` without `--`, with the line that was probably meant. */
function missingDashes(word: string, path: readonly string[], args: readonly string[]): string {
  const at = args.indexOf(word, args.indexOf(path.at(-1) ?? '') + 1)
  const meant = at === -1 ? [...path, '--', 'COMMAND'] : args.toSpliced(at, 0, '--')
  return `-- is missing before ${showValue(word)}; did you mean: pet-mock ${shellWords(meant)}
(PowerShell, "npm exec" and Yarn 1 remove one --. There, type -- -- instead.)`
}

/** Complains when a command with these `places` for words, such as `NAME [DIR]` or `FILE…`, gets too few or too many. */
function countWords(path: readonly string[], places: string, words: readonly string[]): readonly string[] {
  const names = places.split(' ')
  const least = names.filter(name => !name.startsWith('[')).length
  const most = places.includes('…') ? Number.POSITIVE_INFINITY : names.length
  if (words.length >= least && words.length <= most) return []
  return [`Expected: pet-mock ${[...path, places].join(' ')}`]
}

/** A complaint about a word that is no command of a group, typed instead of one or after `command`. */
function unknownWord(
  word: string,
  { name, commands }: { readonly name?: string; readonly commands: Commands },
  command?: Command,
): string {
  const names = commands.map(({ name }) => name)
  const isFlag = command !== undefined && Object.hasOwn(command.flags, word) && !isOtherWord(word)
  const other = name === undefined ? explainOtherWord(word) : undefined
  const meant = isFlag ? `did you mean --${word}?` : (explainScenarioWord(word) ?? other)
  const verb = name === undefined ? verbMeant(word, commands) : names.find(one => areAlike(one, word))
  const hint =
    meant === undefined
      ? suggest(word, names) || (verb === undefined ? '' : `; did you mean ${verb}?`)
      : `; ${meant}`
  const where = name === undefined ? '' : ` of ${name}`
  return `${showValue(word)} is not a command${where}${hint || `; choose from ${names.join(', ')}`}`
}

/** A command of a group that was typed without the group: `ban` of `keys ban`. */
function verbMeant(word: string, commands: Commands): string | undefined {
  const groups = commands.filter(isGroup)
  const lines = groups.flatMap(({ name, commands }) =>
    commands.map(one => [one.name, `${name} ${one.name}`] as const),
  )
  return new Map(lines).get(didYouMean(word, new Map(lines).keys()) ?? '')
}

/** Parses a command line without knowing its command, which may follow its flags: `--port 80 serve`. `after`: the words after `--`. */
export function parseArguments(args: readonly string[], commands: Commands) {
  // All commands agree on which flags take a value, and on their letters.
  const flags = commands
    .flatMap(command => (isGroup(command) ? command.commands : [command]))
    .flatMap(command => Object.entries(command.flags))
  const letters = flags.flatMap(([name, { alias }]) => (alias === undefined ? [] : [[name, alias]]))
  const on = ['help', 'version', ...flags.flatMap(([name, { value }]) => (value === '' ? [name] : []))]
  const off = new Map(on.map(name => [`no-${name}`, name]))
  for (const name of on) off.delete(name)
  const switches = [...on, ...off.keys()]
  const end = args.includes('--') ? args.indexOf('--') : args.length
  const before = args.slice(0, end)
  const { _: words, ...given } = parse(before.map(escapeDashes), {
    alias: { help: 'h', version: 'v', ...Object.fromEntries(letters) },
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
    flags: new Map(
      Object.entries(given).map(([name, values]) => {
        const switchedOff = off.get(name)
        return switchedOff === undefined ? [name, textsOf(values)] : [switchedOff, ['false']]
      }),
    ),
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
