import { formatInstant } from '../../base/time/instant.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { Call, Reply } from '../../service/call/call.ts'
import { clip } from '../../service/call/echo.ts'
import { headerValue } from '../../service/call/headers.ts'
import type { ShowText } from '../inspection/conceal.ts'
import { showKey } from '../inspection/conceal.ts'
import type { Evidence } from '../report/finding.ts'
import type { ConductId } from './checks.ts'

/** An exchange as judges look at it. */
export interface ObservedCall {
  readonly exchange: Exchange
  /** The same for calls that are the same but for their headers. */
  readonly fingerprint: string
}

/** Something about a call that is worth telling. */
export interface Remark {
  readonly id: ConductId
  readonly exchange: Exchange
  /** With how many alike: what stands for a row of several. */
  readonly detail: (count: number) => string
  /** Calls with the same text are one row; without it, each is a row. */
  readonly group?: string
  /** A number of which the greatest is told. */
  readonly size?: number
}

export type Note = (remark: Remark) => void

/** Judges the calls of one caller, in their order. */
export type Judge = (seen: ObservedCall) => void

export function observeCall(exchange: Exchange): ObservedCall {
  const { method, target, body } = exchange.call
  return { exchange, fingerprint: `${method} ${target} ${digest(body)}` }
}

/** Enough to tell bodies apart that a client sends in turn (FNV-1a). */
function digest(body: Call['body']): string {
  if (!(body instanceof Uint8Array)) return body ?? ''
  let hash = 0x811c9dc5
  for (const byte of body) hash = Math.imul(hash ^ byte, 0x01000193)
  return `${body.length}.${hash >>> 0}`
}

const longestTarget = 120

export function showCall({ call, reply }: Exchange, text: ShowText): string {
  return `${call.method} ${clip(text(call.target), longestTarget)} → ${reply.status}`
}

export function evidenceOf(exchange: Exchange, detail: string, text: ShowText): Evidence {
  const { id, sandbox, at, trace } = exchange
  return {
    what: showCall(exchange, text),
    detail,
    at: formatInstant(at),
    request: id,
    sandbox,
    ...(trace.key !== undefined && { caller: showKey(trace.key, sandbox, text) }),
  }
}

/** A header of a reply by its lower-case name, however the service spells it. */
export function replyHeader({ headers }: Pick<Reply, 'headers'>, name: string): string | undefined {
  for (const header in headers) {
    if (header.length === name.length && header.toLowerCase() === name) return headers[header]
  }
  return undefined
}

/** Where in a client's code a call is from: what it says of itself by one of these headers, the most telling first. */
const siteHeaders = ['x-call-site', 'referer', 'user-agent'] as const

export function callSite({ headers }: Call): string {
  for (const name of siteHeaders) {
    const value = headerValue(headers, name)
    if (typeof value === 'string' && value !== '') return `${clip(value)} (${name})`
  }
  return 'a client that does not say who it is'
}
