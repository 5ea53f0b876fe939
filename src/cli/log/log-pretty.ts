import type { Exchange } from '../../emulator/journal/exchange.ts'
import { defaultSandbox } from '../../emulator/worlds/sandboxes.ts'
import { retryAfterMs } from '../../judges/conduct/wait.ts'
import { clip } from '../../service/call/echo.ts'
import { faultName } from '../../service/call/fault.ts'
import type { Secrets } from '../../service/keys/mask.ts'
import { remaining, type WindowReading } from '../../service/limits/limiter.ts'
import { banner } from '../terminal/banner.ts'
import type { TextStream } from '../terminal/io.ts'
import type { Paint } from '../terminal/paint.ts'
import { printable } from '../terminal/printable.ts'
import type { LogLines } from './log-lines.ts'
import { formatCallsLeft, formatReasons, styleOf, timeOf } from './request-parts.ts'

/** The usual width of everything but the request, in the line of a refused call. */
const besideRequest = 84

/**
 * A line for each event. On a narrow terminal the target is cut:
 *
 *     12:04:31  GET /v1/pets?limit=5    200  demo-f… free  59/60 left this minute
 *     12:04:33  GET /v1/pets            429  demo-f… free  0/60 left this minute  rate_limit_exceeded, wait 27 s
 *     12:04:35  rejected 127.0.0.1      400  This is not a valid HTTP/1.1 request.
 */
export function createPrettyLog(
  paint: Paint,
  terminal: Pick<TextStream, 'columns'>,
  maskKey: Secrets['maskKey'],
): LogLines {
  // Grows with the longest caller so far, so that columns stay aligned when a sandbox appears.
  let callerWidth = 12
  return {
    ready: facts => banner({ ...facts, columns: terminal.columns }, paint),
    call: exchange => {
      const { status } = exchange.reply
      const style = styleOf(status)
      const time = timeOf(exchange.call.receivedAt)
      const text = callerOf(exchange, maskKey)
      callerWidth = Math.max(callerWidth, text.length)
      const caller = text.padEnd(callerWidth)
      const left = callsLeft(exchange)
      const reasons = reasonsOf(exchange)
      const others = [time, `${status}`, caller, left, reasons].filter(part => part !== '')
      const request = requestOf(exchange, terminal.columns, others.join('  ').length + 2)
      return [
        paint('dim', time),
        request,
        paint(style, `${status}`),
        caller,
        left,
        reasons && paint(style, reasons),
      ]
        .filter(part => part !== '')
        .join('  ')
        .trimEnd()
    },
    refusal: ({ at, status, message, client }) => {
      const request = printable(`rejected ${client}`).padEnd(requestWidth(terminal.columns))
      const style = styleOf(status)
      return [
        paint('dim', timeOf(at)),
        request,
        paint(style, `${status}`),
        paint(style, printable(message)),
      ].join('  ')
    },
    breaches: (exchange, breaches) =>
      breaches
        .map(({ message }) => {
          const request = requestOf(exchange, terminal.columns, message.length + 40)
          const time = paint('dim', timeOf(exchange.call.receivedAt))
          return [time, request, paint('red', `breaks the contract: ${printable(message)}`)].join('  ')
        })
        .join('\n'),
    skipped: count =>
      paint('dim', `… ${count} lines skipped: the terminal or pipe that reads this log was too slow.`),
  }
}

/** Without a width, as in a file, the target stays whole. */
function requestOf(
  { call: { method, target } }: Exchange,
  columns: number | undefined,
  besides: number,
): string {
  const most = columns === undefined ? 2_000 : Math.max(22, columns - besides)
  // Cut before escaping, so that a long target costs no more than a short one.
  return clip(printable(`${method} ${target}`.slice(0, most + 1)), most).padEnd(requestWidth(columns))
}

function requestWidth(columns = 110): number {
  return Math.min(56, Math.max(22, columns - besideRequest))
}

function callerOf({ sandbox, trace: { key, plan = '' } }: Exchange, maskKey: Secrets['maskKey']): string {
  if (key === undefined) return ''
  const suffix = sandbox === defaultSandbox ? '' : `+${sandbox}`
  return `${maskKey(key)}${suffix} ${printable(plan)}`
}

function callsLeft({ trace: { key, limit, code } }: Exchange): string {
  if (key === undefined || limit === undefined || code === 'api_key_banned') return ''
  const view = (window: WindowReading) => ({ limit: window.limit, remaining: remaining(window) })
  const { accepted, reported, minute, day } = limit
  return formatCallsLeft({ accepted, told: reported, minute: view(minute), day: view(day) })
}

function reasonsOf({ trace, reply }: Exchange): string {
  const { Sunset: sunset } = reply.headers
  const waitMs = retryAfterMs(reply)
  const refusal = [trace.code ?? '', waitMs === undefined ? '' : `wait ${waitMs / 1_000} s`]
  const deprecation = sunset === undefined ? '' : `deprecated, removal on ${sunset.slice(5, 16)}`
  return formatReasons(trace.code === undefined ? [deprecation] : refusal, {
    ...trace,
    delayMs: reply.delayMs,
    fault: reply.fault && faultName(reply.fault),
    rules: trace.rules?.map(printable),
  })
}
