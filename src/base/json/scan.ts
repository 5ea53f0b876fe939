/** A text, how far it is read, and its problem once a reader returns undefined. */
export interface Scan {
  readonly text: string
  at: number
  problem: string
  /** The problem is the character at `at`. */
  isUnexpected?: boolean
  /** How many values may follow, where a file is read: it also refuses what no file may hold. */
  left?: number
}

/** Lines and columns count from 1, columns in units of UTF-16. */
export function placeInText(text: string, at: number): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, at).split(/\r\n?|\n/)
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}

export function next(scan: Scan): string | undefined {
  skipSpace(scan)
  return scan.text[scan.at]
}

export function skipSpace(scan: Scan): void {
  for (;;) {
    const code = scan.text.charCodeAt(scan.at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
    scan.at++
  }
}

/** `inside`: names what is unfinished if the text ends here. */
export function unexpected(scan: Scan, inside: string): undefined {
  const character = scan.text.codePointAt(scan.at)
  if (character === undefined) {
    scan.problem = `the text ends inside ${inside}`
    return
  }
  scan.problem = `unexpected ${show(character)}`
  scan.isUnexpected = true
}

/** Shows an invisible character, such as a byte order mark, by its number. */
function show(codePoint: number): string {
  const character = String.fromCodePoint(codePoint)
  if (!/[\p{C}\p{Z}]/u.test(character) || codePoint <= 0x20) return JSON.stringify(character)
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`
}
