import { escapeInJson, escapeInvisible } from '../../base/text/invisible.ts'
import { shellQuote } from '../../base/text/shell-quote.ts'

/**
 * A text that a terminal and a CI service only show. Invisible characters are escaped, and so is the start of what GitHub Actions, Azure
 * Pipelines and TeamCity would run as a command: `::error::`, `##vso[`.
 */
export function printable(text: string): string {
  return escapeInvisible(text).replace(
    /(?<=^|\s):(?=:[a-z][a-z-]*(?:\s[^:]*)?::)|(?<=^|\s)#(?=#(?:vso|teamcity)?\[)/gi,
    sign => `\\x${sign.charCodeAt(0).toString(16)}`,
  )
}

/** One line of JSON. It also escapes invisible characters that JSON allows, and terminals interpret. */
export function jsonLine(value: unknown): string {
  return escapeInJson(JSON.stringify(value))
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

/** Leaves out the middle of a text that is longer than `most`: its start and its end say more. */
export function elideMiddle(text: string, most: number): string {
  const characters = Array.from(text)
  if (characters.length <= most) return text
  const atStart = Math.ceil((most - 1) / 2)
  const atEnd = most - 1 - atStart
  return `${characters.slice(0, atStart).join('')}…${characters.slice(characters.length - atEnd).join('')}`
}

/** Words as one line that can be pasted into a shell. */
export function shellWords(words: readonly string[]): string {
  const quoted = words.map(word => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : shellQuote(word)))
  return printable(quoted.join(' '))
}
