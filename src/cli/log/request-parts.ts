import type { Trace } from '../../emulator/journal/exchange.ts'
import type { LimitView } from '../../judges/inspection/view.ts'
import type { WindowName } from '../../service/limits/window.ts'
import type { Style } from '../terminal/paint.ts'
import { printable } from '../terminal/printable.ts'
import { listFacts } from '../terminal/quantities.ts'

/** The colour of a response. */
export function styleOf(status: number): Style {
  if (status >= 500) return 'red'
  if (status === 429) return 'magenta'
  return status >= 400 ? 'yellow' : 'green'
}

/** The local time of day. */
export function timeOf(instant: number): string {
  const date = new Date(instant)
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map(part => `${part}`.padStart(2, '0'))
    .join(':')
}

type CallsLeft = Pick<LimitView, 'accepted' | 'told'> &
  Readonly<Record<WindowName, Pick<LimitView['minute'], 'limit' | 'remaining'>>>

/** The window with the fewest calls left or, after a refusal, the window that refused. */
export function formatCallsLeft({ minute, day, told, accepted }: CallsLeft): string {
  const isDay = accepted ? day.remaining <= minute.remaining : told === 'day'
  const { remaining, limit } = isDay ? day : minute
  return `${remaining}/${limit} left ${isDay ? 'today' : 'this minute'}`
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
