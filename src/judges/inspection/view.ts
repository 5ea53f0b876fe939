import { formatInstant } from '../../base/time/instant.ts'
import { type Breach, type Exchange, type Gate, isRefused } from '../../emulator/journal/exchange.ts'
import type { Call, Reply } from '../../service/call/call.ts'
import type { Fault } from '../../service/call/fault.ts'
import { readTarget } from '../../service/call/target.ts'
import { type LimitReading, remaining, type WindowReading } from '../../service/limits/limiter.ts'
import { type WindowName, windowLengths } from '../../service/limits/window.ts'
import type { Stability } from '../../service/operations/operations.ts'
import { type ShowText, showAsIs, showKey } from './conceal.ts'
import { operationOf } from './filter.ts'

/** An exchange as JSON. Absent values are null, instants are RFC 3339 texts. */
export interface RequestView {
  readonly id: number
  readonly sandbox: string
  /** On the emulator's clock. */
  readonly at: string
  /** In real time. */
  readonly receivedAt: string
  readonly method: string
  readonly target: string
  readonly path: string
  readonly status: number
  readonly code: string | null
  /** In an open area, the name in the user's contract. */
  readonly operation: string | null
  readonly stability: Stability | null
  readonly key: string | null
  readonly plan: string | null
  /** The gate that decided. */
  readonly gate: Gate
  /** A limit or a ban refused it. */
  readonly refused: boolean
  readonly synthetic: boolean
  /** The rules that acted. */
  readonly rules: readonly string[]
  readonly delayMs: number | null
  readonly fault: Fault | null
  readonly limit: LimitView | null
  readonly request: MessageView
  readonly response: MessageView
  /** How it breaks the contract; empty if it was not checked. */
  readonly breaches: readonly Breach[]
}

export interface LimitView {
  readonly accepted: boolean
  /** The window that the headers report. */
  readonly told: WindowName
  readonly minute: WindowView
  readonly day: WindowView
}

export interface WindowView {
  readonly limit: number
  readonly used: number
  readonly remaining: number
  readonly opensAt: string | null
  readonly resetsAt: string | null
  /** The id of the request that opened it. */
  readonly openedBy: number | null
}

export interface MessageView {
  /** By lower-case name; a list if the header was sent several times. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: string | null
  /** The length of the whole body in bytes, if only its first 16 KiB are kept. */
  readonly cutFrom: number | null
}

/** `text` masks keys; without it they are shown. */
export function showExchange(exchange: Exchange, text: ShowText = showAsIs): RequestView {
  const { id, sandbox, at, call, reply, trace, cut } = exchange
  const { code, key, plan, gate, stability, rules, limit, synthetic } = trace
  return {
    id,
    sandbox,
    at: formatInstant(at),
    receivedAt: formatInstant(call.receivedAt),
    method: call.method,
    target: text(call.target),
    path: text(readTarget(call.target).path),
    status: reply.status,
    code: code ?? null,
    operation: trace.area?.operation ?? operationOf(exchange) ?? null,
    stability: stability ?? null,
    key: key === undefined ? null : showKey(key, sandbox, text),
    plan: plan ?? null,
    gate,
    refused: isRefused(exchange),
    synthetic,
    rules: rules ?? [],
    delayMs: reply.delayMs ?? null,
    fault: reply.fault ?? null,
    limit: limit === undefined ? null : showLimit(limit),
    request: {
      headers: showHeaders(call.headers, text),
      body: bodyOf(call, text),
      cutFrom: cut.call ?? null,
    },
    response: {
      headers: showHeaders(Object.entries(reply.headers).flat(), text),
      body: textOf(reply, text),
      cutFrom: cut.reply ?? null,
    },
    breaches: (exchange.breaches ?? []).map(breach => ({ ...breach, message: text(breach.message) })),
  }
}

function showLimit({ accepted, reported, minute, day }: LimitReading): LimitView {
  return { accepted, told: reported, minute: showWindow(minute, 'minute'), day: showWindow(day, 'day') }
}

function showWindow(window: WindowReading, name: WindowName): WindowView {
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

function showHeaders(headers: readonly string[], text: ShowText): MessageView['headers'] {
  const shown = new Map<string, string[]>()
  for (let index = 0; index < headers.length; index += 2) {
    const name = (headers[index] ?? '').toLowerCase()
    shown.set(name, [...(shown.get(name) ?? []), text(headers[index + 1] ?? '')])
  }
  return Object.fromEntries(
    Array.from(shown, ([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  )
}

/** Invalid UTF-8 becomes U+FFFD. */
function bodyOf({ body }: Pick<Call, 'body'>, text: ShowText): string | null {
  return body instanceof Uint8Array && body.length > 0 ? text(new TextDecoder().decode(body)) : null
}

function textOf({ body }: Reply, text: ShowText): string | null {
  return body === undefined || body === '' ? null : text(body)
}
