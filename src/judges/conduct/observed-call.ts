import { BoundedMap } from '../../base/bounded-map.ts'
import { hashOf } from '../../base/hash.ts'
import { formatInstant } from '../../base/time/instant.ts'
import type { Delivery, Exchange } from '../../emulator/journal/exchange.ts'
import type { Expectation } from '../../emulator/worlds/expectations.ts'
import type { Call } from '../../service/call/call.ts'
import { clip } from '../../service/call/echo.ts'
import type { Secrets } from '../../service/keys/mask.ts'
import { type ShowText, showKey } from '../inspection/conceal.ts'
import type { Evidence, Severity } from '../report/finding.ts'
import type { ConductId } from './checks.ts'
import type { Link } from './links.ts'

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

/** Equal for calls of a client that differ only in headers. A number, because many long targets would fill the memory. */
export function fingerprintOf({ method, target, body, connection }: Call): number {
  return hashOf(method, target, body ?? '', `${connection?.instance ?? ''}`)
}

/** The part of its memory that a caller may use: with many callers, each gets less. */
export type Portion = () => number

const longestTarget = 120

export function evidenceOf(exchange: Exchange, text: ShowText): Evidence {
  const { id, sandbox, at, call, reply, trace } = exchange
  const instance = call.connection?.instance
  return {
    what: `${call.method} ${clip(text(call.target), longestTarget)} → ${reply.status}`,
    detail: '',
    at: formatInstant(at),
    request: id,
    sandbox,
    ...(trace.key !== undefined && { caller: showKey(trace.key, sandbox, text) }),
    ...(instance !== undefined && { instance }),
  }
}

/** With more callers at once, the oldest count as new when they call again. */
const mostCallers = 1_000

const mostSandboxes = 2_000

/** So many callers may use all the memory of a caller. */
const fullCallers = 50

interface CallersOptions<C> extends Pick<ConductContext, 'startsAt' | 'onRestart'> {
  readonly create: (exchange: Exchange, portion: Portion) => C
  /** No further call of it will come. */
  readonly onEnd: (caller: C) => void
}

/** What a judge remembers of each caller, in bounded memory: a key in a sandbox, or an address without a valid key. */
export function createCallers<C>({ create, onEnd, startsAt, onRestart }: CallersOptions<C>) {
  const callers = new BoundedMap<string, C>(mostCallers, { onDropped: onEnd })
  const newest = new BoundedMap<string, number>(mostSandboxes)
  const portion = () => Math.min(1, fullCallers / callers.size)

  const restart = (sandbox: string) => {
    const isOfSandbox = (name: string) => name.startsWith(`${sandbox} `)
    onRestart?.(isOfSandbox)
    for (const [name, caller] of [...callers]) {
      if (!isOfSandbox(name)) continue
      onEnd(caller)
      callers.delete(name)
    }
  }

  return {
    /** The caller of the next exchange, which becomes the most recent one. */
    of: (exchange: Exchange): { readonly name: string; readonly caller: C } => {
      const { id, sandbox, call } = exchange
      const { key } = exchange.trace
      const start = startsAt(exchange)
      // An exchange from before the start may come after it.
      if (id >= start && (newest.get(sandbox) ?? start) < start) restart(sandbox)
      newest.set(sandbox, id)
      const name = key === undefined ? `${sandbox}  ${call.client}` : `${sandbox} ${key} `
      const caller = callers.get(name) ?? create(exchange, portion)
      callers.set(name, caller)
      return { name, caller }
    },
    /** The most recent last. */
    all: (): readonly C[] => [...callers.values()],
    forgotten: (): number => callers.dropped,
  }
}

/** Only calls that reach the API count. */
export function reachesApi({ trace: { gate } }: Exchange): boolean {
  return gate !== 'host' && gate !== 'preflight' && gate !== 'api'
}
