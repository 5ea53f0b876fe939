/**
 * A text from outside, safe to show: an escape code in a URL must not move the cursor of whoever reads the log, nor
 * a newline forge a line of it. What is not a visible character is written as `\x1b` or `\u{202e}`.
 */
export function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, character => {
    const code = character.codePointAt(0) ?? 0
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
  })
}

/** A text in lines of at most `width` characters, broken between words; a longer word keeps a line to itself. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ').filter(word => word !== '')) {
    const line = lines.at(-1)
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines
}
