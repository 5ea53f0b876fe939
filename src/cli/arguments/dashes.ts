import { showValue } from '../../control/files/show.ts'
import { shellWords } from './shell-words.ts'

/** What is behind the first `--` are words, whatever they look like; yargs never sees them. */
export function splitAtDashes(args: readonly string[]): {
  readonly before: readonly string[]
  readonly after: readonly string[]
} {
  const at = args.includes('--') ? args.indexOf('--') : args.length
  return { before: args.slice(0, at), after: args.slice(at + 1) }
}

/** What is wrong with a command that begins at `word`, without `--` before it, and the line that was meant. */
export function missingDashes(word: string, path: readonly string[], args: readonly string[]): string {
  const at = args.indexOf(word, args.indexOf(path.at(-1) ?? '') + 1)
  const meant = at === -1 ? [...path, '--', 'COMMAND'] : args.toSpliced(at, 0, '--')
  return `-- is missing before ${showValue(word)}; did you mean: pet-mock ${shellWords(meant)}
(PowerShell, "npm exec" and Yarn 1 take a -- for themselves: there, write -- -- in its place)`
}
