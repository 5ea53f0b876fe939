import { defaultSandbox } from '../emulator/sandboxes.ts'
import type { Exchange } from '../journal/exchange.ts'
import { maskKey } from '../keys/mask.ts'
import { remaining } from '../limits/limiter.ts'
import type { TextStream } from './io.ts'
import type { Paint, Style } from './paint.ts'
import { clip, printable } from './printable.ts'

/** Everything of a line but its target, when a call over the limit has it all. */
const besideTarget = 84

/**
 * Makes of each call a line for people, as wide as the terminal:
 *
 *     12:04:31  GET /v1/pets?limit=5    200  demo-f… free  59/60 left this minute
 *     12:04:33  GET /v1/pets            429  demo-f… free  0/60 left this minute  rate_limit_exceeded, wait 27 s
 */
export function createPrettyLog(
  paint: Paint,
  terminal: Pick<TextStream, 'columns'>,
): (exchange: Exchange) => string {
  return exchange => {
    const { call, reply, trace } = exchange
    const style = styleOf(reply.status)
    const parts = [
      paint('dim', timeOf(call.receivedAt)),
      requestOf(exchange, terminal.columns),
      paint(style, `${reply.status}`),
      whoOf(exchange).padEnd(12),
      leftOf(exchange),
      trace.code === undefined ? '' : paint(style, `${trace.code}${waitOf(exchange)}`),
    ]
    return parts
      .filter(part => part !== '')
      .join('  ')
      .trimEnd()
  }
}

/** A file has no width, and whoever searches it wants the whole target. */
function requestOf({ call: { method, target } }: Exchange, columns: number | undefined): string {
  const width = Math.min(56, Math.max(22, (columns ?? 110) - besideTarget))
  const most = columns === undefined ? 2_000 : width
  // Cut before it is made printable, so that a long target costs no more than a short one.
  return clip(printable(`${method} ${target}`.slice(0, most + 1)), most).padEnd(width)
}

function styleOf(status: number): Style {
  if (status >= 500) return 'red'
  if (status === 429) return 'magenta'
  return status >= 400 ? 'yellow' : 'green'
}

function timeOf(instant: number): string {
  const date = new Date(instant)
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map(part => `${part}`.padStart(2, '0'))
    .join(':')
}

function whoOf({ sandbox, trace: { key, plan = '' } }: Exchange): string {
  if (key === undefined) return ''
  const suffix = sandbox === defaultSandbox ? '' : `+${sandbox}`
  return `${maskKey(key)}${suffix} ${printable(plan)}`
}

/** What is left of the window with the fewest calls left; of a refusal, of the one that refused. */
function leftOf({ trace: { key, limit, code } }: Exchange): string {
  if (key === undefined || limit === undefined || code === 'api_key_banned') return ''
  const { minute, day, told, accepted } = limit
  const isDay = accepted ? remaining(day) <= remaining(minute) : told === 'day'
  const window = isDay ? day : minute
  return `${remaining(window)}/${window.limit} left ${isDay ? 'today' : 'this minute'}`
}

/** The seconds of `Retry-After`, also where a setting makes a date of it. */
function waitOf({ reply: { headers } }: Exchange): string {
  const retryAfter = headers['Retry-After']
  if (retryAfter === undefined) return ''
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - Date.parse(headers.Date ?? '')) / 1_000
  return `, wait ${seconds} s`
}
