import { hashOf } from '../../base/hash.ts'
import { formatInstant } from '../../base/time/instant.ts'
import { type Delivery, deliveryOf } from '../../emulator/journal/delivery.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { Expectation } from '../../emulator/worlds/expectations.ts'
import type { Call } from '../../service/call/call.ts'
import { clip } from '../../service/call/echo.ts'
import type { Secrets } from '../../service/keys/mask.ts'
import { type ShowText, showKey } from '../inspection/conceal.ts'
import type { Evidence, Severity } from '../report/finding.ts'
import type { ConductId } from './checks.ts'
import type { Link, Links } from './links.ts'

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
  /** Called with each judged call, and the name of its caller. */
  readonly onObserved?: (caller: string, call: ObservedCall) => void
  /** The callers of a sandbox have no waits or bans any more. */
  readonly onRestart?: (isOfSandbox: (caller: string) => boolean) => void
}

/**
 * Whether a call was refused before the end of a wait, and how that is judged. `free`: it was not, or its sender did not know.
 * `excused`: another caller may have made it. `held`: later calls decide. `crossed`, `misdated`: nobody can judge it.
 */
export type Standing = 'free' | 'excused' | 'early' | 'held' | 'crossed' | 'misdated'

export interface ObservedCall {
  readonly exchange: Exchange
  readonly fingerprint: number
  readonly delivery: Delivery
  /** The connection, and how many milliseconds ago the reply before on it was sent. */
  readonly link: Link
  readonly gapMs: number
  standing: Standing
}

export interface Remark {
  readonly id: ConductId
  readonly exchange: Exchange
  /** The text of a row for `count` similar calls. */
  readonly detail: (count: number) => string
  /** Calls of one group share a row. Without a group, each call has a row. */
  readonly group?: string
  /** The report shows the greatest size. */
  readonly size?: number
  /** Worse than that of the check. */
  readonly severity?: Severity
}

export type Note = (remark: Remark) => void

/** A remark for later: it holds no exchange, whose bodies may be long. */
export interface HeldRemark extends Omit<Remark, 'exchange'> {
  readonly evidence: Evidence
  readonly expectation: Expectation | undefined
}

/** Judges the calls of one caller in order. */
export type Judge = (call: ObservedCall) => void

/** Observes the calls of one caller in order. */
export function createObserver(links: Links): (exchange: Exchange) => ObservedCall {
  return exchange => {
    const fingerprint = fingerprintOf(exchange.call)
    return {
      exchange,
      fingerprint,
      delivery: deliveryOf(exchange),
      standing: 'free',
      ...links.of(exchange, fingerprint),
    }
  }
}

/** Equal for calls that differ only in headers. A number, because many long targets would fill the memory. */
export function fingerprintOf({ method, target, body }: Call): number {
  return hashOf(method, target, body ?? '')
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
