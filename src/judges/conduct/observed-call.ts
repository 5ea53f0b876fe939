import { formatInstant } from '../../base/time/instant.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { Expectation } from '../../emulator/worlds/expectations.ts'
import type { Call, Reply } from '../../service/call/call.ts'
import { clip } from '../../service/call/echo.ts'
import { headerValue } from '../../service/call/headers.ts'
import type { Secrets } from '../../service/keys/mask.ts'
import { type ShowText, showKey } from '../inspection/conceal.ts'
import type { Evidence } from '../report/finding.ts'
import type { Actor } from './actors.ts'
import type { ConductId } from './checks.ts'
import type { Delivery } from './delivery.ts'

/** What the judges need to know of the sandboxes. */
export interface ConductContext {
  readonly secrets: Secrets
  /** Masks the secrets in texts of an exchange. */
  readonly textOf: (exchange: Exchange) => ShowText
  readonly isKey: (exchange: Exchange, text: string) => boolean
  /** What covers a finding in an exchange. By default, nothing is expected. */
  readonly expectationOf?: (exchange: Exchange, id: ConductId) => Expectation | undefined
  /** The id of the first exchange since the sandbox last restarted, by a reset, a scenario or a snapshot. */
  readonly startsAt: (exchange: Exchange) => number
  /** The id of a request whose evidence is kept in any case. */
  readonly wanted?: number | undefined
  /** Called with each defect of a judge. The report counts the calls that it could not judge. */
  readonly onError?: (error: unknown) => void
}

export interface ObservedCall {
  readonly exchange: Exchange
  readonly fingerprint: number
  readonly actor: Actor
  readonly delivery: Delivery
  /** When the burst of this call began, if others may have been wanted at the same time. */
  readonly burstAt: number | undefined
}

/** Something that a judge found in a call. */
export interface Remark {
  readonly id: ConductId
  readonly exchange: Exchange
  /** The text of a row for `count` similar calls. */
  readonly detail: (count: number) => string
  /** Calls of one group share a row. Without a group, each call has a row. */
  readonly group?: string
  /** The report shows the greatest size. */
  readonly size?: number
}

export type Note = (remark: Remark) => void

/** A remark for later: it holds no exchange, whose bodies may be long. */
export interface HeldRemark extends Omit<Remark, 'exchange'> {
  readonly evidence: Evidence
  readonly expectation: Expectation | undefined
}

/** Judges the calls of one caller in order. */
export type Judge = (call: ObservedCall) => void

/** Equal for calls that differ only in headers. A number, because many long targets would fill the memory. */
export function fingerprintOf({ method, target, body }: Call): number {
  return hashOf(method, target, body ?? '')
}

/** A hash of 53 bits to distinguish the calls of a client, after cyrb53. */
export function hashOf(...parts: readonly (string | Uint8Array)[]): number {
  let one = 0xdeadbeef
  let other = 0x41c6ce57
  for (const part of parts) {
    const { length } = part
    for (let at = 0; at < length; at += 1) {
      const unit = typeof part === 'string' ? part.charCodeAt(at) : (part[at] ?? 0)
      one = Math.imul(one ^ unit, 2_654_435_761)
      other = Math.imul(other ^ unit, 1_597_334_677)
    }
    // No unit of a text: the parts stay apart.
    one = Math.imul(one ^ (0x1_0000 + length), 2_654_435_761)
    other = Math.imul(other ^ (0x1_0000 + length), 1_597_334_677)
  }
  one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909)
  other = Math.imul(other ^ (other >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909)
  return 0x1_0000_0000 * (other & 0x1f_ffff) + (one >>> 0)
}

/** The part of its memory that a caller may use: with many callers, each gets less. */
export type Portion = () => number

const longestTarget = 120

export function evidenceOf(exchange: Exchange, text: ShowText): Evidence {
  const { id, sandbox, at, call, reply, trace } = exchange
  return {
    what: `${call.method} ${clip(text(call.target), longestTarget)} → ${reply.status}`,
    detail: '',
    at: formatInstant(at),
    request: id,
    sandbox,
    ...(trace.key !== undefined && { caller: showKey(trace.key, sandbox, text) }),
  }
}

/** A header of a reply by its lower-case name, in any case. */
export function replyHeader({ headers }: Pick<Reply, 'headers'>, name: string): string | undefined {
  for (const header in headers)
    if (header.length === name.length && header.toLowerCase() === name) return headers[header]
  return undefined
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
