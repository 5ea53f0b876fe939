import { type Command, type CommandArguments, type CommandGroup, isGroup } from './command.ts'
import { countWords } from './count-words.ts'
import type { HelpTopic } from './help.ts'
import { missingDashes } from './missing-dashes.ts'
import { parseArguments } from './parse-arguments.ts'
import { unknownWord } from './unknown-word.ts'

/** The meaning of a command line. read-flags.ts reads the values of its flags. */
export type CommandLine =
  | { readonly kind: 'version' }
  | ({ readonly kind: 'help' } & HelpTopic)
  | ({ readonly kind: 'run'; readonly command: Command } & CommandArguments)
  | { readonly kind: 'refuse'; readonly complaints: readonly string[] }

export function readCommandLine(
  args: readonly string[],
  commands: readonly (Command | CommandGroup)[],
): CommandLine {
  const { words, after, flags } = parseArguments(args, commands)
  if (flags.has('version')) return { kind: 'version' }
  const { group, command, path } = findCommand(words, commands)
  const own = words.slice(path.length)
  const [word] = own
  if (flags.has('help') || (command === undefined && word === undefined))
    return { kind: 'help', path, group, command, commands }
  const among = group ?? { commands }
  if (command === undefined)
    return { kind: 'refuse', complaints: own.slice(0, 1).map(one => unknownWord(one, among)) }
  if (command.runsAnother && word !== undefined)
    return { kind: 'refuse', complaints: [missingDashes(word, path, args)] }
  const all = [...own, ...after]
  const line = { kind: 'run', command, given: flags } as const
  if (command.words === undefined)
    return { ...line, words: [], complaints: all.map(one => unknownWord(one, among, command)) }
  const complaints = command.runsAnother ? [] : countWords(path, command.words, all)
  return { ...line, words: all, complaints }
}

/** The command that the first words name, or the default one. `path` has the words that belong to its name. */
function findCommand(words: readonly string[], commands: readonly (Command | CommandGroup)[]) {
  const [first, second] = words
  const named = commands.find(({ name }) => name === first)
  const group = named !== undefined && isGroup(named) ? named : undefined
  const candidates = group?.commands ?? commands.flatMap(one => (isGroup(one) ? [] : [one]))
  const name = group === undefined ? first : second
  const command = candidates.find(one => one.name === name)
  const length = (group === undefined ? 0 : 1) + (command === undefined ? 0 : 1)
  return { group, command: command ?? candidates.find(one => one.isDefault), path: words.slice(0, length) }
}
