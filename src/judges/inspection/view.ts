import { formatInstant } from '../../base/time/instant.ts'
import { type Exchange, type Gate, isRefused } from '../../emulator/journal/exchange.ts'
import type { Call } from '../../service/call/call.ts'
import { clip } from '../../service/call/echo.ts'
import { faultName } from '../../service/call/fault.ts'
import { headerValue, pairsOf } from '../../service/call/headers.ts'
import { appliedHeader, readPreferences, type Unmet } from '../../service/call/prefer.ts'
import { readTarget } from '../../service/call/target.ts'
import { remaining, type WindowReading, windowLengths } from '../../service/limits/limiter.ts'
import { judgePreferences, refusedPreferences } from '../../service/operations/preferred.ts'
import { operationAt } from '../../service/operations/routes.ts'
import { decodeBody, type Show, type ShowText, showAsIs, showKey } from './conceal.ts'
import { operationOf } from './filter.ts'

/** An exchange as JSON, with its messages. Absent values are null, instants are RFC 3339 texts. */
export type RequestView = Readonly<ReturnType<typeof showExchange>>
export type LimitView = NonNullable<RequestView['limit']>

/** Without `show`, secrets are shown, too. */
export function showExchange(exchange: Exchange, show: Show = showAsIs) {
  const { call, reply, cut } = exchange
  return {
    ...showRow(exchange, show),
    request: showMessage(call.headers, decodeBody(call), cut.call, show),
    response: showMessage(Object.entries(reply.headers).flat(), reply.body, cut.reply, show),
  }
}

/** An exchange without its messages: what a list shows. */
export function showRow(exchange: Exchange, show: Show = showAsIs) {
  const { id, sandbox, at, call, reply, trace, answeredAt, breaches = [] } = exchange
  const ms = answeredAt === undefined ? call.timing?.ms : answeredAt - call.receivedAt
  const { limit } = trace
  return {
    id,
    sandbox,
    /** On the emulator's clock. */
    at: formatInstant(at),
    /** In real time. */
    receivedAt: formatInstant(call.receivedAt),
    method: call.method,
    target: show.target(call.target),
    path: show.target(readTarget(call.target).path),
    status: reply.status,
    code: trace.code ?? null,
    /** In an open area, the name in the user's contract. */
    operation: trace.area?.operation ?? operationOf(exchange) ?? null,
    stability: trace.stability ?? null,
    key: trace.key === undefined ? null : showKey(trace.key, sandbox, show.target),
    plan: trace.plan ?? null,
    gate: trace.gate,
    /** A limit or a ban refused it. */
    refused: isRefused(exchange),
    synthetic: trace.synthetic,
    rules: trace.rules ?? [],
    /** The events of the scenario that happened before it. */
    events: trace.events?.map(show.text) ?? [],
    delayMs: reply.delayMs ?? null,
    fault: reply.fault === undefined ? null : faultName(reply.fault),
    limit: limit
      ? {
          accepted: limit.accepted,
          reported: limit.reported,
          minute: showWindow(limit.minute, 'minute'),
          day: showWindow(limit.day, 'day'),
        }
      : null,
    /** In milliseconds of real time, to a microsecond. */
    durationMs: ms === undefined ? null : Math.round(ms * 1_000) / 1_000,
    /** How it breaks the contract; empty if it was not checked. */
    breaches: breaches.map(breach => ({ ...breach, message: show.text(breach.message) })),
  }
}

function showWindow(window: WindowReading, name: keyof typeof windowLengths) {
  const { limit, used, endsAt, openedBy } = window
  return {
    limit,
    used,
    remaining: remaining(window),
    opensAt: endsAt === undefined ? null : formatInstant(endsAt - windowLengths[name]),
    resetsAt: endsAt === undefined ? null : formatInstant(endsAt),
    openedBy: openedBy ?? null,
  }
}

function showMessage(
  headers: readonly string[],
  body: string | undefined,
  cutFrom: number | undefined,
  show: Show,
) {
  return {
    /** By lower-case name; a list if the header was sent several times. */
    headers: showHeaders(headers, show),
    body: body ? show.text(body) : null,
    /** The length of the whole body in bytes, if only its first 16 KiB are kept. */
    cutFrom: cutFrom ?? null,
  }
}

function showHeaders(headers: readonly string[], show: Show) {
  const shown: Record<string, string | string[]> = Object.create(null)
  for (const [given, sent] of pairsOf(headers)) {
    const name = given.toLowerCase()
    const value = show.header(name, sent)
    const before = shown[name]
    shown[name] = before === undefined ? value : [before, value].flat()
  }
  return shown
}

/** The headers that may name the place in a client's code, the most precise first. */
const siteHeaders = ['x-call-site', 'referer', 'user-agent'] as const

/** Masked before it is cut: half a key would not be found. */
export function callSite({ headers }: Call, text: ShowText): string {
  for (const name of siteHeaders) {
    const value = headerValue(headers, name)
    if (typeof value === 'string' && value !== '') return `${clip(text(value))} (${name})`
  }
  return 'an unnamed client'
}

/** The gates that answer before a `Prefer` header is read (A01). */
const before: ReadonlySet<Gate> = new Set(['host', 'preflight', 'api', 'failure', 'key', 'ban', 'limit'])

/** The preferences that a reply does not meet. A real service has its own, so a proxied call has none. */
export function unmetPreferences({ call, reply, trace, answeredAt }: Exchange): readonly Unmet[] {
  const preferences = answeredAt === undefined ? readPreferences(call.headers) : undefined
  if (preferences === undefined) return []
  if (before.has(trace.gate)) return refusedPreferences(preferences)
  const operation =
    trace.area === undefined ? operationAt(readTarget(call.target).path, call.method) : undefined
  return judgePreferences(preferences, operation, reply.status, reply.headers[appliedHeader]).unmet
}
