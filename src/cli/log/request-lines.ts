import { groupDigits } from '../../base/text/quantities.ts'
import type { Trace } from '../../emulator/journal/exchange.ts'
import type { LimitView } from '../../judges/inspection/view.ts'
import type { RequestView } from '../../library/client/ask-plane.ts'
import type { WindowName } from '../../service/limits/limiter.ts'
import { elideMiddle, listFacts, type Paint, printable, type Style, wrap } from '../terminal/text.ts'

const aligned = ['place', 'request', 'caller', 'left'] as const

/** Formats requests with ids, like the log of serve. Columns only grow, so later lines align with earlier. */
export function createRequestLines(
  paint: Paint,
  columns: number | undefined,
  ofSeveral: boolean,
): (requests: readonly RequestView[]) => readonly string[] {
  const widths = { place: 0, request: 0, caller: 0, left: 0 }
  return requests => {
    const rows = requests.map(request => ({ request, texts: textsOf(request, ofSeveral, columns) }))
    for (const name of aligned)
      widths[name] = Math.max(widths[name], ...rows.map(({ texts }) => texts[name].length))
    const others = widths.place + widths.caller + widths.left + timeAndStatus
    const most = columns === undefined ? longestRequest : Math.max(leastRequest, columns - others)
    const width = Math.min(widths.request, most)
    return rows.map(({ request, texts: { place, caller, left } }) => {
      const style = styleOf(request.status)
      const reasons = reasonsOf(request)
      const padded = ofSeveral ? place.padEnd(widths.place) : place.padStart(widths.place)
      const line = {
        lead: [
          { text: padded, style: 'bold' as const },
          { text: timeOf(Date.parse(request.receivedAt)), style: 'dim' as const },
        ],
        request: `${request.method} ${request.target}`,
        width,
        most: width,
        fixed: [
          { text: printable(`${request.status}`), style },
          ...(widths.caller === 0 ? [] : [{ text: caller.padEnd(widths.caller) }]),
        ],
        details: [
          ...(left === '' ? [] : [{ text: left.padEnd(reasons === '' ? 0 : widths.left) }]),
          ...(reasons === '' ? [] : [{ text: reasons, style }]),
        ],
      }
      return layOut(line, columns, paint)
    })
  }
}

/** The width of a time and a status, and of the gaps between all columns. */
const timeAndStatus = 8 + 3 + 5 * 2

function textsOf(request: RequestView, ofSeveral: boolean, columns: number | undefined) {
  const { id, sandbox, method, target, key, plan, limit } = request
  const caller = key === null ? '' : printable(`${key} ${plan ?? ''}`.trimEnd())
  const place = ofSeveral ? printable(`${sandbox}#${id}`) : `#${id}`
  return {
    place: columns === undefined ? place : elideMiddle(place, widestCaller),
    request: printable(`${method} ${target}`),
    caller: columns === undefined ? caller : elideMiddle(caller, widestCaller),
    left: key === null || limit === null ? '' : printable(formatCallsLeft(limit)),
  }
}

function reasonsOf(request: RequestView): string {
  const wait = request.response.headers['retry-after']
  const waitText = /^\d+$/.test(`${wait}`) ? `wait ${groupDigits(Number(wait))} s` : `Retry-After: ${wait}`
  const first = [request.code ?? '', wait === undefined ? '' : waitText]
  const last = request.breaches.length === 0 ? '' : 'breaks the contract'
  return printable(formatReasons(first, request, last))
}

/** The least width of the request beside its details. */
const leastRequest = 22
/** The most characters of a request where no width is known. */
const longestRequest = 2_000
/** On a terminal, a longer caller does not widen the column of all lines. */
export const widestCaller = 24
/** Before what does not fit beside the request. */
const indent = ' '.repeat(10)

export interface Part {
  readonly text: string
  readonly style?: Style | undefined
}

interface RequestLine {
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
  const text = shorten(request, Math.max(leastRequest, Math.min(free, most ?? free))).padEnd(
    Math.min(width, Math.max(leastRequest, free)),
  )
  const first = [...lead, { text }, ...fixed, ...beside].map(show).join('  ').trimEnd()
  const widthBelow = Math.max(leastRequest, (columns ?? 0) - indent.length)
  const below = details.slice(count).flatMap(({ text, style }) => {
    const lines = wrap(text.trim(), widthBelow)
    return lines.map(line => indent + show({ text: elideMiddle(line, widthBelow), style }))
  })
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

export function styleOf(status: number): Style {
  if (status >= 500) return 'red'
  if (status === 429) return 'magenta'
  return status >= 400 ? 'yellow' : 'green'
}

export function timeOf(instant: number): string {
  const date = new Date(instant)
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map(part => `${part}`.padStart(2, '0'))
    .join(':')
}

type CallsLeft = Pick<LimitView, 'accepted' | 'reported'> &
  Readonly<Record<WindowName, Pick<LimitView['minute'], 'limit' | 'remaining'>>>

/** The window with the fewest calls left or, after a refusal, the window that refused. */
export function formatCallsLeft({ minute, day, reported, accepted }: CallsLeft): string {
  const isDay = accepted ? day.remaining <= minute.remaining : reported === 'day'
  const { remaining, limit } = isDay ? day : minute
  return `${groupDigits(remaining)}/${groupDigits(limit)} left ${isDay ? 'today' : 'this minute'}`
}

/** Why a browser blocks a page: its preflight was refused, or allows fewer headers than it asked for. */
export function preflightReason({ gate, mismatches = [] }: Pick<Trace, 'gate' | 'mismatches'>): string {
  if (gate !== 'preflight') return ''
  return mismatches
    .map(({ what, expected }) => printable(`preflight refused: expected ${what} to be ${expected}`))
    .join(', ')
}

interface Interference {
  readonly fault?: string | null | undefined
  readonly delayMs?: number | null | undefined
  readonly gate: string
  readonly rules?: readonly string[] | undefined
}

/** Everything but the status that explains a response, with faults, delays and rules in between. */
export function formatReasons(
  first: readonly string[],
  { fault, delayMs, gate, rules = [] }: Interference,
  last = '',
): string {
  return listFacts([
    ...first,
    fault ?? '',
    typeof delayMs === 'number' ? `delayed ${delayMs} ms` : '',
    gate === 'prefer' ? 'by Prefer' : '',
    rules.length === 0 ? '' : `by ${rules.join(' + ')}`,
    last,
  ])
}
