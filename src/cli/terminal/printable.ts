/**
 * Escapes invisible characters as `\x1b` or `\u{202e}`. An escape code in a URL must not move the cursor, and a newline
 * must not forge a log line.
 */
export function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, character => {
    const code = character.codePointAt(0) ?? 0
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
  })
}

/** Wraps a text between words. A word longer than `width` gets its own line. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ').filter(word => word !== '')) {
    const line = lines.at(-1)
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines
}

/** Words as one line that can be pasted into a shell. */
export function shellWords(words: readonly string[]): string {
  return printable(words.map(quote).join(' '))
}

function quote(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
