import type { Exchange } from '../../emulator/journal/exchange.ts'
import { defaultSandbox } from '../../emulator/worlds/sandboxes.ts'
import { retryAfterMs } from '../../judges/conduct/wait.ts'
import { faultName } from '../../service/call/fault.ts'
import type { Secrets } from '../../service/keys/mask.ts'
import { remaining, type WindowReading } from '../../service/limits/limiter.ts'
import { banner } from '../terminal/banner.ts'
import type { TextStream } from '../terminal/io.ts'
import type { Paint, Style } from '../terminal/paint.ts'
import { elideMiddle, printable, wrap } from '../terminal/printable.ts'
import type { LogLines } from './log-lines.ts'
import { formatCallsLeft, formatReasons, preflightReason, styleOf, timeOf } from './request-parts.ts'

/** The usual width of everything but the request, in the line of a refused call. */
const besideRequest = 84
/** The least width of the request beside its details. */
const leastRequest = 22
/** A longer caller does not widen the column of all lines. */
const widestCaller = 24
/** Before what does not fit beside the request. */
const indent = ' '.repeat(10)

/** A text, and how it is painted. */
interface Part {
  readonly text: string
  readonly style?: Style | undefined
}

/**
 * A line for each event. On a narrow terminal the middle of the target is left out, and what does not fit follows on lines
 * of its own, wrapped between words:
 *
 *     12:04:31  GET /v1/pets?limit=5    200  demo-f… free  59/60 left this minute
 *     12:04:33  GET /v1/pets            429  demo-f… free  0/60 left this minute
 *               rate_limit_exceeded, wait 27 s
 *     12:04:35  rejected 127.0.0.1      400  This is not a valid HTTP/1.1 request.
 */
export function createPrettyLog(
  paint: Paint,
  { columns }: Pick<TextStream, 'columns'>,
  maskKey: Secrets['maskKey'],
): LogLines {
  // Grows with the longest caller so far, so that columns stay aligned when a sandbox appears.
  let callerWidth = 12
  const show = ({ text, style }: Part) => (style === undefined || text === '' ? text : paint(style, text))
  return {
    ready: facts => banner({ ...facts, columns }, paint),
    call: exchange => {
      const whole = callerOf(exchange, maskKey)
      const caller = columns === undefined ? whole : elideMiddle(whole, widestCaller)
      callerWidth = Math.max(callerWidth, Math.min(caller.length, widestCaller))
      const { status } = exchange.reply
      const reasons = reasonsOf(exchange)
      return layOut(
        exchange.call,
        [{ text: `${status}`, style: styleOf(status) }, { text: caller.padEnd(callerWidth) }],
        [
          { text: callsLeft(exchange) },
          { text: reasons, style: /^(?:deprecated|preflight)/.test(reasons) ? 'yellow' : styleOf(status) },
        ],
        columns,
        show,
      )
    },
    refusal: ({ at, status, message, client }) =>
      layOut(
        { receivedAt: at, method: 'rejected', target: client },
        [{ text: `${status}`, style: styleOf(status) }],
        [{ text: printable(message), style: styleOf(status) }],
        columns,
        show,
      ),
    breaches: ({ call }, breaches) =>
      breaches
        .map(({ message }) => {
          const text = `breaks the contract: ${printable(message)}`
          return layOut(call, [], [{ text, style: 'red' }], columns, show)
        })
        .join('\n'),
    skipped: count =>
      paint('dim', `… ${count} lines skipped: the terminal or pipe that reads this log was too slow.`),
  }
}

/** Puts as many details as fit beside the request, and the others below it. */
function layOut(
  call: Pick<Exchange['call'], 'receivedAt' | 'method' | 'target'>,
  fixed: readonly Part[],
  details: readonly Part[],
  columns: number | undefined,
  show: (part: Part) => string,
): string {
  const time: Part = { text: timeOf(call.receivedAt), style: 'dim' }
  const shown = details.filter(({ text }) => text !== '')
  const widthOf = (parts: readonly Part[]) => parts.reduce((sum, { text }) => sum + 2 + text.length, 0)
  const room = (columns ?? Number.POSITIVE_INFINITY) - leastRequest - widthOf([time, ...fixed])
  const count = shown.findLastIndex((_part, at) => widthOf(shown.slice(0, at + 1)) <= room) + 1
  const beside = shown.slice(0, count)
  const request = requestOf(call, columns, widthOf([time, ...fixed, ...beside]))
  const first = [time, { text: request }, ...fixed, ...beside].map(show).join('  ').trimEnd()
  const width = Math.max(leastRequest, (columns ?? 0) - indent.length)
  const below = shown
    .slice(count)
    .flatMap(({ text, style }) =>
      wrap(text, width).map(line => indent + show({ text: elideMiddle(line, width), style })),
    )
  return [first, ...below].join('\n')
}

/** Without a width, as in a file, the target stays whole. */
function requestOf(
  { method, target }: Pick<Exchange['call'], 'method' | 'target'>,
  columns: number | undefined,
  besides: number,
): string {
  const text = `${method} ${target}`
  const most = columns === undefined ? 2_000 : Math.max(leastRequest, columns - besides)
  // Cut before escaping, so that a long target costs no more than a short one.
  const ends = text.length > 2 * most ? `${text.slice(0, most)}${text.slice(-most)}` : text
  return elideMiddle(printable(ends), most).padEnd(requestWidth(columns))
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
  return formatReasons(trace.code === undefined ? [preflightReason(trace), deprecation] : refusal, {
    ...trace,
    delayMs: reply.delayMs,
    fault: reply.fault ? faultName(reply.fault) : reply.spared && 'nothing to cut',
    rules: trace.rules?.map(printable),
  })
}
