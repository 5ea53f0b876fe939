import { groupDigits } from '../../base/text/quantities.ts'
import { adminUrl, baseUrl } from '../../doors/server/base-url.ts'
import type { Refusal } from '../../doors/server/refusals.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { defaultSandbox } from '../../emulator/worlds/sandboxes.ts'
import { retryAfterMs } from '../../judges/conduct/wait.ts'
import { unmetPreferences } from '../../judges/inspection/view.ts'
import { faultName } from '../../service/call/fault.ts'
import type { Secrets } from '../../service/keys/mask.ts'
import { remaining, type WindowReading } from '../../service/limits/limiter.ts'
import { type BannerFacts, banner } from '../terminal/banner.ts'
import type { TextStream } from '../terminal/io.ts'
import { elideMiddle, jsonLine, type Paint, printable } from '../terminal/text.ts'
import {
  formatCallsLeft,
  formatReasons,
  layOut,
  type Part,
  preflightReason,
  styleOf,
  timeOf,
  widestCaller,
} from './request-lines.ts'

type LogLines = ReturnType<typeof createJsonLog>

export interface LoggedChange {
  readonly at: number
  readonly sandbox: string | undefined
  readonly name: string
  readonly fields: Readonly<Record<string, string>>
}

/** A line of JSON for each event. Unknown fields are left out. */
export function createJsonLog(pid: number, maskKey: Secrets['maskKey']) {
  return {
    /** The first lines, with their line breaks. */
    ready: (facts: BannerFacts) => `${readyLine(facts, pid)}\n`,
    call: (exchange: Exchange) => {
      const { id, sandbox, at, call, reply, trace } = exchange
      const unmet = unmetPreferences(exchange).map(({ text }) => text)
      const { key, plan, limit, code, rules, synthetic } = trace
      const waitMs = retryAfterMs(reply)
      return jsonLine({
        event: 'call',
        id,
        sandbox,
        at: new Date(at).toISOString(),
        method: call.method,
        target: call.target,
        status: reply.status,
        key: key === undefined ? undefined : maskKey(key),
        plan,
        remaining: limit && { minute: remaining(limit.minute), day: remaining(limit.day) },
        code,
        retryAfter: waitMs === undefined ? undefined : waitMs / 1_000,
        rules: rules?.length === 0 ? undefined : rules,
        reason: preflightReason(trace) || undefined,
        unmetPreferences: unmet.length === 0 ? undefined : unmet,
        synthetic: synthetic || undefined,
        delayMs: reply.delayMs,
        fault: reply.fault && faultName(reply.fault),
      })
    },
    /** A request that the server rejected before it became a call. */
    refusal: ({ at, status, code, message, client }: Refusal) =>
      jsonLine({ event: 'refused', at: new Date(at).toISOString(), status, code, message, client }),
    change: ({ at, sandbox, name, fields }: LoggedChange) =>
      jsonLine({ event: 'change', at: new Date(at).toISOString(), sandbox, do: name, ...fields }),
    /** Contract breaches of a call that the log has already shown. */
    breaches: ({ id, sandbox, call: { method, target }, reply: { status }, breaches }: Exchange) =>
      jsonLine({ event: 'contract', id, sandbox, method, target, status, breaches }),
    skipped: (count: number) => jsonLine({ event: 'dropped', calls: count }),
  }
}

/** The first line of the JSON log. It shows the configured keys in full. */
export function readyLine(facts: BannerFacts, pid: number): string {
  const { version, network = [], certificate, linkBase, scenario, config } = facts
  return jsonLine({
    event: 'ready',
    url: baseUrl(facts),
    network: network.length === 0 ? undefined : network.map(host => baseUrl({ ...facts, host })),
    baseUrl: linkBase,
    certificate,
    admin: adminUrl(facts),
    scenario: scenario.name,
    key: scenario.key,
    keys: Object.fromEntries([...scenario.keys].map(([key, { plan }]) => [key, plan])),
    config,
    version,
    pid,
  })
}

/** In a line of 110 characters, a refused call has 84 besides. */
const requestWidth = 110 - 84

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
  const line = (
    { receivedAt, method, target }: Pick<Exchange['call'], 'receivedAt' | 'method' | 'target'>,
    fixed: readonly Part[],
    details: readonly Part[],
  ) => {
    const lead: readonly Part[] = [{ text: timeOf(receivedAt), style: 'dim' }]
    const shown = details.filter(({ text }) => text !== '')
    const request = `${method} ${target}`
    return layOut({ lead, request, width: requestWidth, fixed, details: shown }, columns, paint)
  }
  return {
    ready: facts => banner({ ...facts, columns }, paint),
    call: exchange => {
      const whole = callerOf(exchange, maskKey)
      const caller = columns === undefined ? whole : elideMiddle(whole, widestCaller)
      callerWidth = Math.max(callerWidth, Math.min(caller.length, widestCaller))
      const { status } = exchange.reply
      const reasons = reasonsOf(exchange)
      return line(
        exchange.call,
        [{ text: `${status}`, style: styleOf(status) }, { text: caller.padEnd(callerWidth) }],
        [
          { text: callsLeft(exchange) },
          { text: reasons, style: /^(?:deprecated|preflight)/.test(reasons) ? 'yellow' : styleOf(status) },
        ],
      )
    },
    refusal: ({ at, status, message, client }) =>
      line(
        { receivedAt: at, method: 'rejected', target: client },
        [{ text: `${status}`, style: styleOf(status) }],
        [{ text: printable(message), style: styleOf(status) }],
      ),
    change: ({ at, sandbox = defaultSandbox, name, fields }) => {
      const words = Object.entries(fields).map(([field, value]) => `${field}=${value}`)
      const where = sandbox === defaultSandbox ? '' : `in ${printable(sandbox)}`
      return line({ receivedAt: at, method: name, target: words.join(' ') }, [], [{ text: where }])
    },
    breaches: ({ call, breaches = [] }) =>
      breaches
        .map(({ message }) => {
          const text = `breaks the contract: ${printable(message)}`
          return line(call, [], [{ text, style: 'red' }])
        })
        .join('\n'),
    skipped: count =>
      paint('dim', `… ${count} lines skipped: the terminal or pipe that reads this log was too slow.`),
  }
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
  return formatCallsLeft({ accepted, reported, minute: view(minute), day: view(day) })
}

function reasonsOf(exchange: Exchange): string {
  const { trace, reply } = exchange
  const unmet = unmetPreferences(exchange)
  const { Sunset: sunset } = reply.headers
  const waitMs = retryAfterMs(reply)
  const refusal = [trace.code ?? '', waitMs === undefined ? '' : `wait ${groupDigits(waitMs / 1_000)} s`]
  const deprecation = sunset === undefined ? '' : `deprecated, removal on ${sunset.slice(5, 16)}`
  return formatReasons(
    trace.code === undefined ? [preflightReason(trace), deprecation] : refusal,
    {
      ...trace,
      delayMs: reply.delayMs,
      fault: reply.fault ? faultName(reply.fault) : reply.spared && 'nothing to break',
      rules: trace.rules?.map(printable),
    },
    unmet.length === 0 ? '' : `Prefer not met: ${printable(unmet.map(({ text }) => text).join(', '))}`,
  )
}
