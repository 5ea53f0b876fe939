import { contains } from '../../base/json/contains.ts'
import type { JsonValue } from '../../base/json/value.ts'
import { parseDuration } from '../../base/time/duration.ts'
import { parseInstant } from '../../base/time/instant.ts'
import { type Exchange, isRefused } from '../../emulator/journal/exchange.ts'
import { compileGlob, compilePath } from '../../emulator/rules/match.ts'
import { peekJsonBody } from '../../service/call/json-body.ts'
import { readTarget } from '../../service/call/target.ts'
import type { OperationId } from '../../service/operations/operations.ts'
import { operationAt } from '../../service/operations/routes.ts'

/** Selects exchanges. Every given field must match. */
export interface Filter {
  /** The operation that the call was for, even if a gate refused it. */
  readonly operation?: OperationId | undefined
  /** `GET` includes HEAD (A18). */
  readonly method?: string | undefined
  /** A whole path with `/v1`. `{petId}` matches a segment, `*` any characters within one. */
  readonly path?: string | undefined
  /** `429`, or `4xx` for a class. */
  readonly status?: string | number | undefined
  readonly code?: string | undefined
  /** With or without its sandbox; `*` matches any characters. */
  readonly key?: string | undefined
  readonly plan?: string | undefined
  /** A rule that acted on the call; `*` matches any characters. */
  readonly rule?: string | undefined
  /** An instant, or a duration before now, on the emulator's clock. */
  readonly since?: string | undefined
  readonly after?: number | undefined
  /** Only exchanges with an id below this one. */
  readonly before?: number | undefined
  /** JSON that the body of the call must contain. */
  readonly body?: JsonValue | undefined
  readonly synthetic?: boolean | undefined
  readonly refused?: boolean | undefined
  /** Whether the call or its response was found to break the contract. */
  readonly breaking?: boolean | undefined
}

/** `now` returns the time of a sandbox's clock in milliseconds since the epoch. */
export function compileFilter(
  { operation, method, plan, code, after, before, body, synthetic, refused, breaking, ...filter }: Filter,
  now: (sandbox: string) => number,
): (exchange: Exchange) => boolean {
  const fitsPath = filter.path === undefined ? undefined : compilePath(filter.path)
  const fitsStatus = filter.status === undefined ? undefined : compileStatus(`${filter.status}`)
  const fitsKey = filter.key === undefined ? undefined : compileGlob(filter.key)
  const fitsRule = filter.rule === undefined ? undefined : compileGlob(filter.rule)
  const isSince = filter.since === undefined ? undefined : compileSince(filter.since, now)
  return exchange => {
    const { id, sandbox, call, reply, trace } = exchange
    const { key } = trace
    return (
      (after === undefined || id > after) &&
      (before === undefined || id < before) &&
      (fitsStatus === undefined || fitsStatus(reply.status)) &&
      (method === undefined || call.method === method || (method === 'GET' && call.method === 'HEAD')) &&
      (plan === undefined || trace.plan === plan) &&
      (code === undefined || trace.code === code) &&
      (synthetic === undefined || trace.synthetic === synthetic) &&
      (refused === undefined || isRefused(exchange) === refused) &&
      (breaking === undefined || (exchange.breaches ?? []).length > 0 === breaking) &&
      (fitsKey === undefined || (key !== undefined && (fitsKey(key) || fitsKey(`${key}+${sandbox}`)))) &&
      (fitsRule === undefined || (trace.rules ?? []).some(fitsRule)) &&
      (isSince === undefined || isSince(exchange)) &&
      (operation === undefined || operationOf(exchange) === operation) &&
      (fitsPath === undefined || fitsPath(readTarget(call.target).path)) &&
      (body === undefined || contains(peekJsonBody(call), body))
    )
  }
}

/** The operation that a call was for, even if a gate refused it. */
export function operationOf({ call, trace }: Exchange): OperationId | undefined {
  return trace.operation ?? operationAt(readTarget(call.target).path, call.method)
}

function compileStatus(text: string): (status: number) => boolean {
  const hundreds = /^([1-5])xx$/i.exec(text)?.[1]
  if (hundreds === undefined) return status => status === Number(text)
  return status => Math.floor(status / 100) === Number(hundreds)
}

function compileSince(text: string, now: (sandbox: string) => number): (exchange: Exchange) => boolean {
  const instant = parseInstant(text)
  if (instant !== undefined) return ({ at }) => at >= instant
  const length = parseDuration(text) ?? 0
  return ({ at, sandbox }) => at >= now(sandbox) - length
}
