import { clip } from '../../service/call/echo.ts'
import type { Paint, Style } from './paint.ts'
import { printable } from './printable.ts'

export interface Cell {
  readonly text: string
  readonly style?: Style
  /** Align right, as for numbers. */
  readonly atRight?: boolean
}

export function cell(text: string | number, look: Omit<Cell, 'text'> = {}): Cell {
  return { text: printable(`${text}`), ...look }
}

/** The width that each column needs for these rows. */
export function widthsOf(
  rows: readonly (readonly Cell[])[],
  atLeast: readonly number[] = [],
): readonly number[] {
  const columns = Math.max(atLeast.length, ...rows.map(row => row.length))
  return Array.from({ length: columns }, (_, at) =>
    Math.max(atLeast[at] ?? 0, ...rows.map(row => row[at]?.text.length ?? 0)),
  )
}

/** Formats each row as a line. Leaves out empty columns, and cuts texts that are wider than their column. */
export function tableLines(
  rows: readonly (readonly Cell[])[],
  paint: Paint,
  widths = widthsOf(rows),
): readonly string[] {
  return rows.map(row =>
    row
      .flatMap(({ text: whole, style, atRight }, at) => {
        const width = widths[at] ?? 0
        if (width === 0) return []
        const text = clip(whole, width)
        const blank = ' '.repeat(Math.max(0, width - text.length))
        const painted = style === undefined || text === '' ? text : paint(style, text)
        return [atRight ? blank + painted : painted + blank]
      })
      .join('  ')
      .trimEnd(),
  )
}
