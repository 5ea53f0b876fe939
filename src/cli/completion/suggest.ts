import { shippedScenarios } from '../../control/scenario/shipped.ts'
import { shippedPlans } from '../../service/plans/plan.ts'
import { type Command, type Commands, type Invocation, isGroup } from '../arguments/command.ts'
import { findCommand, parseArguments } from '../arguments/command-line.ts'
import { listScenarioFiles } from '../start/load/scenario-folder.ts'
import type { Choice } from '../terminal/choice-list.ts'
import { exitCodes } from '../terminal/io.ts'
import { elideMiddle, printable } from '../terminal/text.ts'

interface Suggestions {
  readonly values: readonly Choice[]
  readonly paths?: 'files' | 'directories' | undefined
}

/** Completes the last word of a command line without `pet-mock`. `files`: the paths of the scenario folder. */
function suggest(typed: readonly string[], commands: Commands, files: readonly string[]): Suggestions {
  const { words, isSplit } = joinAssignments(typed)
  const before = words.slice(0, -1)
  const word = words.at(-1) ?? ''
  // After `--`, another command has the words.
  if (before.includes('--')) return { values: [], paths: 'files' }
  const parsed = parseArguments(before, commands)
  const { group, command, path } = findCommand(parsed.words, commands)
  const places = parsed.words.length - path.length
  // The flag that the last word is the value of.
  const open = command?.flags[nameWithValue(before.at(-1) ?? '', commands) ?? '']
  const found = (suggestions: Suggestions, start: string, prefix = ''): Suggestions => ({
    ...suggestions,
    values: suggestions.values
      .filter(({ name }) => name.startsWith(start))
      .map(({ name, about }) => ({ name: prefix + name, about })),
  })
  if (open !== undefined) return found(valuesOf(open.value, files), word)
  const [, name = '', start] = /^--([\w-]+)=(.*)$/.exec(word) ?? []
  if (start !== undefined) {
    const flag = command?.flags[name]
    const values = flag === undefined ? { values: [] } : valuesOf(flag.value, files)
    return found(values, start, isSplit ? '' : `--${name}=`)
  }
  if (word.startsWith('-')) return found({ values: flagsOf(command) }, word)
  const listed =
    places > 0 || (command !== undefined && !command.isDefault) ? [] : (group?.commands ?? commands)
  const ofPlace = valuesOf(placeOf(command, places), files)
  const all = { ...ofPlace, values: [...listed, ...ofPlace.values] }
  return all.values.length === 0 && all.paths === undefined
    ? found({ values: flagsOf(command) }, word)
    : found(all, word)
}

/** Bash splits `--port=80` into three words. `isSplit`: it did so with the last one. */
function joinAssignments(typed: readonly string[]) {
  const words: string[] = []
  let isSplit = false
  let isOpen = false
  for (const word of typed) {
    const last = words.at(-1)
    isSplit = last?.startsWith('--') === true && (word === '=' || isOpen)
    if (isSplit) words[words.length - 1] = `${last}${word}`
    else words.push(word)
    isOpen = isSplit && word === '='
  }
  return { words, isSplit }
}

/** The name of a flag that takes a value, from `--port` or `-p`. All commands agree on it. */
function nameWithValue(word: string, commands: Commands): string | undefined {
  const flags = commands
    .flatMap(one => (isGroup(one) ? one.commands : [one]))
    .flatMap(one => Object.entries(one.flags))
  const isMeant = (name: string, alias?: string) => word === `--${name}` || word === `-${alias}`
  return flags.find(([name, { alias, value }]) => value !== '' && isMeant(name, alias))?.[0]
}

function flagsOf(command: Command | undefined): readonly Choice[] {
  const own = Object.entries(command?.flags ?? {}).map(([name, { about }]) => ({ name: `--${name}`, about }))
  return [...own, { name: '--help', about: 'show the help of the command' }]
}

/** The placeholder of a word of a command, such as `NAME|FILE`. */
function placeOf(command: Command | undefined, index: number): string {
  const places = command?.words?.replace(/[[\]]/g, '').split(' ') ?? []
  const place = places[index] ?? places.findLast(name => name.endsWith('…')) ?? ''
  return place.replace('…', '')
}

/** What a placeholder of --help stands for: `pretty|json` for two words, `NAME|FILE` for a scenario, `DIR` for a directory. */
function valuesOf(placeholder: string, files: readonly string[]): Suggestions {
  const parts = placeholder.split('|')
  const isPlain = !placeholder.includes('=')
  const words = isPlain ? parts.filter(part => /^[a-z]/.test(part)).map(name => ({ name, about: '' })) : []
  if (placeholder === 'NAME|FILE') {
    const shipped = Array.from(shippedScenarios, ([name, { title }]) => ({ name, about: title ?? '' }))
    const own = files.map(name => ({ name, about: 'your own scenario' }))
    return { values: [...shipped, ...own], paths: 'files' }
  }
  if (placeholder === 'PLAN') return { values: Object.keys(shippedPlans).map(name => ({ name, about: '' })) }
  if (parts.includes('DIR')) return { values: words, paths: 'directories' }
  return { values: words, paths: parts.includes('FILE') || placeholder === 'COMMAND' ? 'files' : undefined }
}

/** Shells show it behind the word. */
const longestAbout = 70

/** Prints a line for each word that fits, with a tab and its meaning. `:files` and `:directories` ask the shell for paths. */
export async function printSuggestions({ words, io }: Invocation<unknown>, commands: Commands) {
  const { values, paths } = suggest(words, commands, listScenarioFiles())
  const lines = values
    // A shell would read such a file name as several lines, or as a request.
    .filter(({ name }) => printable(name) === name && !name.startsWith(':'))
    .map(({ name, about }) => `${name}\t${elideMiddle(printable(about), longestAbout)}`)
  const all = paths === undefined ? lines : [...lines, `:${paths}`]
  io.stdout.write(all.map(line => `${line}\n`).join(''))
  return exitCodes.fine
}
