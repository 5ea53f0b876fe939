import type { Io, TextStream } from './io.ts'

/** Lines that stay below everything that is written to the terminal. */
export type Footer = ReturnType<typeof createFooter>

export interface FooterLine {
  /** With escape sequences for its style. */
  readonly text: string
  readonly width: number
}

/** The width of a terminal that does not say it. */
const usualColumns = 80

export function createFooter(io: Io) {
  let shown: readonly FooterLine[] = []
  // A pseudo-terminal may say 0.
  const columns = () => io.stdout.columns || usualColumns

  /** Moves to the first row of the footer, and clears from there on. A terminal that became narrower has wrapped its lines. */
  const erase = () => {
    if (shown.length === 0) return ''
    const rows = shown.reduce((sum, { width }) => sum + Math.max(1, Math.ceil(width / columns())), 0)
    return `\r${rows > 1 ? `\x1b[${rows - 1}A` : ''}\x1b[J`
  }
  const draw = () => shown.map(({ text }) => text).join('\n')

  const above = (stream: TextStream): TextStream => ({
    get columns() {
      return stream.columns as number
    },
    get writableLength() {
      return stream.writableLength
    },
    hasColors: () => stream.hasColors?.() === true,
    on: (event, listener) => stream.on(event, listener),
    write: (text, done) => {
      const isPlain = shown.length === 0 || text === '' || stream.columns === undefined
      return stream.write(isPlain ? text : erase() + text + draw(), done)
    },
  })

  return {
    io: { ...io, stdout: above(io.stdout), stderr: above(io.stderr) },
    columns,
    /** Replaces the footer. The cursor is at the end of its last line. No lines: removes it. */
    show: (lines: readonly FooterLine[]) => {
      const cleared = erase()
      shown = lines
      io.stdout.write(cleared + draw())
    },
  }
}
