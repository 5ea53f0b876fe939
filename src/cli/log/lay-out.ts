import type { Paint, Style } from '../terminal/paint.ts'
import { elideMiddle, printable, wrap } from '../terminal/printable.ts'

/** The least width of the request beside its details. */
export const leastRequest = 22
/** The most characters of a request where no width is known. */
export const longestRequest = 2_000
/** On a terminal, a longer caller does not widen the column of all lines. */
export const widestCaller = 24
/** Before what does not fit beside the request. */
const indent = ' '.repeat(10)

/** A text, and how it is painted. */
export interface Part {
  readonly text: string
  readonly style?: Style | undefined
}

/** A line about a request. */
export interface RequestLine {
  /** Before the request: its time, its id. */
  readonly lead: readonly Part[]
  /** Method and target, of any length. */
  readonly request: string
  /** The column of the request. A longer one moves the rest of its line, unless `most` cuts it. */
  readonly width: number
  readonly most?: number
  /** Always beside the request. */
  readonly fixed: readonly Part[]
  /** Beside the request if they fit, else below it. */
  readonly details: readonly Part[]
}

/**
 * Puts as many details as fit beside the request, and the others below it. On a narrow terminal the middle of the request
 * is left out. Without columns, as in a file, everything stays whole on one line.
 */
export function layOut(
  { lead, request, width, most, fixed, details }: RequestLine,
  columns: number | undefined,
  paint: Paint,
): string {
  const show = ({ text, style }: Part) => (style === undefined || text === '' ? text : paint(style, text))
  const around = [...lead, ...fixed]
  const room = (columns ?? Number.POSITIVE_INFINITY) - leastRequest - widthOf(around)
  const count = details.findLastIndex((_part, at) => widthOf(details.slice(0, at + 1)) <= room) + 1
  const beside = details.slice(0, count)
  const free = columns === undefined ? longestRequest : columns - widthOf([...around, ...beside])
  const text = shorten(request, Math.max(leastRequest, Math.min(free, most ?? free))).padEnd(width)
  const first = [...lead, { text }, ...fixed, ...beside].map(show).join('  ').trimEnd()
  const widthBelow = Math.max(leastRequest, (columns ?? 0) - indent.length)
  const below = details
    .slice(count)
    .flatMap(({ text, style }) =>
      wrap(text.trim(), widthBelow).map(
        line => indent + show({ text: elideMiddle(line, widthBelow), style }),
      ),
    )
  return [first, ...below].join('\n')
}

function widthOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { text }) => sum + 2 + text.length, 0)
}

function shorten(text: string, most: number): string {
  // Cut before escaping, so that a long target costs no more than a short one.
  const ends = text.length > 2 * most ? `${text.slice(0, most)}${text.slice(-most)}` : text
  return elideMiddle(printable(ends), most)
}
