import { styleText } from 'node:util'
import { escapeInJson, escapeInvisible } from '../../base/text/invisible.ts'
import { formatTimes } from '../../base/text/quantities.ts'
import { shellQuote } from '../../base/text/shell-quote.ts'
import { clip } from '../../service/call/echo.ts'
import type { TextStream } from './io.ts'

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'magenta' | 'cyan'

/** Styles a text, unless the stream has no colours. */
export type Paint = (style: Style, text: string) => string

export function createPaint(stream: Pick<TextStream, 'hasColors'>): Paint {
  if (stream.hasColors?.() !== true) return (_style, text) => text
  return (style, text) => styleText(style, text, { validateStream: false })
}

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

export function formatRefusals(count: number): string {
  return `refused ${formatTimes(count)}`
}

export function formatPace({ scale }: { readonly scale: number }): string {
  if (scale === 0) return 'frozen'
  return scale === 1 ? 'running' : `running at ${scale}x speed`
}

/** Joins texts with commas, without the empty ones. */
export function listFacts(facts: readonly string[]): string {
  return facts.filter(fact => fact !== '').join(', ')
}

export interface Cell {
  readonly text: string
  readonly style?: Style
  readonly atRight?: boolean
}

export function cell(text: string | number, look: Omit<Cell, 'text'> = {}): Cell {
  return { text: printable(`${text}`), ...look }
}

/** The width that each column needs for these rows. */
export function widthsOf(rows: readonly (readonly Cell[])[]): readonly number[] {
  const columns = Math.max(0, ...rows.map(row => row.length))
  return Array.from({ length: columns }, (_, at) => Math.max(...rows.map(row => row[at]?.text.length ?? 0)))
}

/**
 * Formats each row as a line. Leaves out empty columns, and cuts texts that are wider than their column. In a terminal with
 * too few `columns`, the last cells stand below the others, wrapped between words.
 */
export function tableLines(
  rows: readonly (readonly Cell[])[],
  paint: Paint,
  widths = widthsOf(rows),
  columns = Number.POSITIVE_INFINITY,
): readonly string[] {
  const beside = countBeside(widths, columns)
  return rows.flatMap(row => [
    lineOf(row.slice(0, beside), widths, paint),
    ...row
      .slice(beside)
      .flatMap(({ text, style }) =>
        wrap(text, Math.max(20, columns - below.length)).map(
          line => below + (style === undefined ? line : paint(style, line)),
        ),
      ),
  ])
}

const below = '      '

function countBeside(widths: readonly number[], columns: number): number {
  let width = -2
  const tooWide = widths.findIndex((column, at) => {
    width += column === 0 ? 0 : column + 2
    return at > 0 && width > columns
  })
  return tooWide === -1 ? widths.length : tooWide
}

function lineOf(row: readonly Cell[], widths: readonly number[], paint: Paint): string {
  return row
    .flatMap(({ text: whole, style, atRight }, at) => {
      const width = widths[at] ?? 0
      if (width === 0) return []
      const text = clip(whole, width)
      const blank = ' '.repeat(Math.max(0, width - text.length))
      const painted = style === undefined || text === '' ? text : paint(style, text)
      return [atRight ? blank + painted : painted + blank]
    })
    .join('  ')
    .trimEnd()
}
