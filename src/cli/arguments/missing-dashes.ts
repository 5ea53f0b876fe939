import { showValue } from '../../control/files/show.ts'
import { shellWords } from './shell-words.ts'

/** A complaint about a command line that starts at `word` without `--`, with the line that was probably meant. */
export function missingDashes(word: string, path: readonly string[], args: readonly string[]): string {
  const at = args.indexOf(word, args.indexOf(path.at(-1) ?? '') + 1)
  const meant = at === -1 ? [...path, '--', 'COMMAND'] : args.toSpliced(at, 0, '--')
  return `-- is missing before ${showValue(word)}; did you mean: pet-mock ${shellWords(meant)}
(PowerShell, "npm exec" and Yarn 1 remove one --. There, type -- -- instead.)`
}
