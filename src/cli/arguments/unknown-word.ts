import { suggest } from '../../base/text/did-you-mean.ts'
import { showValue } from '../../control/files/show.ts'
import type { Command, CommandGroup } from './command.ts'
import { explainScenarioWord } from './npm-flags.ts'

/** A complaint about a word that is no command of a group, typed instead of one or after `command`. */
export function unknownWord(
  word: string,
  { name, commands }: { readonly name?: string; readonly commands: readonly (Command | CommandGroup)[] },
  command?: Command,
): string {
  const names = commands.map(({ name }) => name)
  const isFlag = command !== undefined && Object.hasOwn(command.flags, word)
  const meant = isFlag ? `did you mean --${word}?` : explainScenarioWord(word)
  const hint = meant === undefined ? suggest(word, names) : `; ${meant}`
  const where = name === undefined ? '' : ` of ${name}`
  return `${showValue(word)} is not a command${where}${hint || `; choose from ${names.join(', ')}`}`
}
