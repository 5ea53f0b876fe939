import type { Command, CommandGroup, Invocation } from '../arguments/command.ts'
import { listScenarioFiles } from '../start/load/scenario-folder.ts'
import { exitCodes } from '../terminal/io.ts'
import { elideMiddle, printable } from '../terminal/printable.ts'
import { suggest } from './suggest.ts'

/** Shells show it behind the word. */
const longestAbout = 70

/** Prints a line for each word that fits, with a tab and its meaning. `:files` and `:directories` ask the shell for paths. */
export async function printSuggestions(
  { words, io }: Invocation<unknown>,
  commands: readonly (Command | CommandGroup)[],
): Promise<number> {
  const { values, paths } = suggest(words, commands, listScenarioFiles())
  const lines = values
    // A shell would read such a file name as several lines, or as a request.
    .filter(({ value }) => printable(value) === value && !value.startsWith(':'))
    .map(({ value, about }) => `${value}\t${elideMiddle(printable(about), longestAbout)}`)
  const all = paths === undefined ? lines : [...lines, `:${paths}`]
  io.stdout.write(all.map(line => `${line}\n`).join(''))
  return exitCodes.fine
}
