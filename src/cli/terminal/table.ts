import { clip } from '../../service/call/echo.ts'
import type { Paint, Style } from './paint.ts'
import { printable, wrap } from './printable.ts'

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
