import { printable } from '../terminal/printable.ts'

/** Words as one line that can be pasted into a shell. */
export function shellWords(words: readonly string[]): string {
  return printable(words.map(quote).join(' '))
}

function quote(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
