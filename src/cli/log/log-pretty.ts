import type { Refusal } from '../../doors/server/refusals.ts'
import type { Breach } from '../../emulator/journal/breach.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { defaultSandbox } from '../../emulator/worlds/sandboxes.ts'
import { clip } from '../../service/call/echo.ts'
import { maskKey } from '../../service/keys/mask.ts'
import { remaining } from '../../service/limits/limiter.ts'
import type { TextStream } from '../terminal/io.ts'
import type { Paint, Style } from '../terminal/paint.ts'
import { printable } from '../terminal/printable.ts'
import { waitSecondsOf } from '../terminal/retry-after.ts'

/** What stands beside the request of a call over the limit, the longest there usually is. */
const besideRequest = 84

export interface PrettyLog {
  readonly call: (exchange: Exchange) => string
  readonly refusal: (refusal: Refusal) => string
  readonly breaches: (exchange: Exchange, breaches: readonly Breach[]) => string
}

/**
 * Makes of each call a line for people, and of what was none; where the terminal is too narrow, the target is cut:
 *
 *     12:04:31  GET /v1/pets?limit=5    200  demo-f… free  59/60 left this minute
 *     12:04:33  GET /v1/pets            429  demo-f… free  0/60 left this minute  rate_limit_exceeded, wait 27 s
 *     12:04:35  no call, by 127.0.0.1   400  This is not a valid HTTP/1.1 request.
 */
export function createPrettyLog(paint: Paint, terminal: Pick<TextStream, 'columns'>): PrettyLog {
  // As wide as the longest so far, so that columns stay columns when a sandbox appears.
  let whoWidth = 12
  const call = (exchange: Exchange) => {
    const { call, reply } = exchange
    const style = styleOf(reply.status)
    const time = timeOf(call.receivedAt)
    const status = `${reply.status}`
    const who = whoOf(exchange)
    whoWidth = Math.max(whoWidth, who.length)
    const left = leftOf(exchange)
    const why = whyOf(exchange)
    const others = [time, status, who.padEnd(whoWidth), left, why].filter(text => text !== '')
    const request = requestOf(exchange, terminal.columns, others.join('  ').length + 2)
    return [
      paint('dim', time),
      request,
      paint(style, status),
      who.padEnd(whoWidth),
      left,
      why && paint(style, why),
    ]
      .filter(text => text !== '')
      .join('  ')
      .trimEnd()
  }
  const refusal = ({ at, status, message, client }: Refusal) => {
    const who = printable(`no call, by ${client}`).padEnd(requestWidth(terminal.columns))
    const style = styleOf(status)
    return [paint('dim', timeOf(at)), who, paint(style, `${status}`), paint(style, message)].join('  ')
  }
  const breaches = (exchange: Exchange, found: readonly Breach[]) =>
    found
      .map(({ message }) => {
        const request = requestOf(exchange, terminal.columns, message.length + 40)
        const time = paint('dim', timeOf(exchange.call.receivedAt))
        return [time, request, paint('red', `breaks the contract: ${printable(message)}`)].join('  ')
      })
      .join('\n')
  return { call, refusal, breaches }
}

/** A file has no width, and whoever searches it wants the whole target. */
function requestOf(
  { call: { method, target } }: Exchange,
  columns: number | undefined,
  besides: number,
): string {
  const width = requestWidth(columns)
  const most = columns === undefined ? 2_000 : Math.max(22, columns - besides)
  // Cut before it is made printable, so that a long target costs no more than a short one.
  return clip(printable(`${method} ${target}`.slice(0, most + 1)), most).padEnd(width)
}

function requestWidth(columns = 110): number {
  return Math.min(56, Math.max(22, columns - besideRequest))
}

/** The colour of an answer. */
export function styleOf(status: number): Style {
  if (status >= 500) return 'red'
  if (status === 429) return 'magenta'
  return status >= 400 ? 'yellow' : 'green'
}

/** A time of day where the terminal is. */
export function timeOf(instant: number): string {
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

/** Why a call was answered so, and what was done to its reply on purpose. */
function whyOf(exchange: Exchange): string {
  const { trace, reply } = exchange
  const made = [
    refusalOf(exchange),
    reply.fault ?? '',
    reply.delayMs === undefined ? '' : `${reply.delayMs} ms late`,
    trace.gate === 'prefer' ? 'by Prefer' : '',
    trace.rules === undefined || trace.rules.length === 0 ? '' : `by ${printable(trace.rules.join(' + '))}`,
  ]
  return made.filter(text => text !== '').join(', ')
}

/** Why a call was refused and how long to wait; and that an operation will not be there for ever. */
function refusalOf(exchange: Exchange): string {
  const { code } = exchange.trace
  const wait = waitSecondsOf(exchange)
  if (code !== undefined) return wait === undefined ? code : `${code}, wait ${wait} s`
  const { Sunset: sunset } = exchange.reply.headers
  return sunset === undefined ? '' : `deprecated, gone from ${sunset.slice(5, 16)}`
}
