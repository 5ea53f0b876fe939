import type { Paint, Style } from './paint.ts'
import { printable } from './printable.ts'

/** A text of a table, safe to show. */
export interface Cell {
  readonly text: string
  readonly style?: Style
  /** As numbers stand. */
  readonly atRight?: boolean
}

export function cell(text: string | number, look: Omit<Cell, 'text'> = {}): Cell {
  return { text: printable(`${text}`), ...look }
}

/** The widths of columns in which all of these rows fit. */
export function widthsOf(
  rows: readonly (readonly Cell[])[],
  atLeast: readonly number[] = [],
): readonly number[] {
  const columns = Math.max(atLeast.length, ...rows.map(row => row.length))
  return Array.from({ length: columns }, (_, at) =>
    Math.max(atLeast[at] ?? 0, ...rows.map(row => row[at]?.text.length ?? 0)),
  )
}

/** A line for each row, its columns two apart; a column in which nothing stands takes no room. */
export function tableLines(
  rows: readonly (readonly Cell[])[],
  paint: Paint,
  widths = widthsOf(rows),
): readonly string[] {
  return rows.map(row =>
    row
      .flatMap(({ text, style, atRight }, at) => {
        const width = widths[at] ?? 0
        if (width === 0) return []
        const blank = ' '.repeat(Math.max(0, width - text.length))
        const painted = style === undefined || text === '' ? text : paint(style, text)
        return [atRight ? blank + painted : painted + blank]
      })
      .join('  ')
      .trimEnd(),
  )
}
