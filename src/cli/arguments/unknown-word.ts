import { suggest } from '../../base/text/did-you-mean.ts'
import { showValue } from '../../control/files/show.ts'
import type { Command, CommandGroup } from './command.ts'
import { explainScenarioWord } from './npm-flags.ts'

/** What is wrong with a word that stands where a command is named, or behind one that takes none. */
export function unknownWord(
  word: string,
  command: Command | undefined,
  commands: readonly (Command | CommandGroup)[],
  where = '',
): string {
  const names = commands.map(({ name }) => name)
  const isFlag = command !== undefined && Object.hasOwn(command.flags, word)
  const meant = isFlag ? `did you mean --${word}?` : explainScenarioWord(word)
  const hint = meant === undefined ? suggest(word, names) : `; ${meant}`
  return `${showValue(word)} is not a command${where}${hint || `; known are ${names.join(', ')}`}`
}
