import type { Exchange } from '../../emulator/journal/exchange.ts'
import { readTarget } from '../../service/call/target.ts'
import type { OperationId } from '../../service/operations/operations.ts'
import { operationAt } from '../../service/operations/routes.ts'
import { limitHeaders, serviceTime } from '../check/calls/pace.ts'
import { belowBase, byName } from '../contract/prism/exchange-texts.ts'

/** An answer of the service to a call of an operation. */
export interface ServiceAnswer {
  readonly exchange: Exchange
  readonly operation: OperationId
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** When the call came and its answer began, on the proxy's clock. */
  readonly sentAt: number
  readonly answeredAt: number
  /** From Date, or else `answeredAt`: epoch milliseconds. */
  readonly serviceTime: number
  /** How far two instants of the service may differ though nothing is wrong, in milliseconds. */
  readonly spare: number
  /** Undefined if one of the headers is missing or no plain number. */
  readonly rate: Rate | undefined
}

export interface Rate {
  readonly limit: number
  readonly remaining: number
  /** As sent: epoch seconds, if the service is right. */
  readonly reset: number
}

export type RatedAnswer = ServiceAnswer & { readonly rate: Rate }

/** Two clocks differ, and Date is rounded down to a second. */
const tolerance = 5_000
/** Without Date, the proxy's clock is used for the service's. */
const toleranceWithoutDate = 300_000

/**
 * Reads an exchange. Undefined if no operation was called, a cache or pet-mock may have made the answer, or the
 * service gave none. `base`: the API's base path.
 */
export function readServiceAnswer(exchange: Exchange, base: string): ServiceAnswer | undefined {
  const { call, reply, trace, at: answeredAt } = exchange
  const path = belowBase(readTarget(call.target).path, base)
  const operation = path === undefined ? undefined : operationAt(`/v1${path}`, call.method)
  if (operation === undefined || call.method === 'HEAD' || trace.synthetic || trace.gate === 'failure')
    return undefined
  const headers = byName(Object.entries(reply.headers).flat())
  if (isCached(headers)) return undefined
  const hasDate = !Number.isNaN(Date.parse(headers.date ?? ''))
  const sentAt = call.receivedAt
  return {
    exchange,
    operation,
    status: reply.status,
    headers,
    sentAt,
    answeredAt,
    serviceTime: serviceTime(headers, answeredAt),
    spare: (hasDate ? tolerance : toleranceWithoutDate) + Math.max(0, answeredAt - sentAt),
    rate: readRate(headers),
  }
}

/** The limit headers of a cached answer are those of another call. */
function isCached(headers: ServiceAnswer['headers']): boolean {
  return ['age', 'x-cache', 'cf-cache-status', 'x-cache-status'].some(name => headers[name] !== undefined)
}

function readRate(headers: ServiceAnswer['headers']): Rate | undefined {
  const texts = limitHeaders.map(name => headers[name] ?? '')
  if (!texts.every(text => /^\d{1,15}(?:\.\d+)?$/.test(text))) return undefined
  const [limit = 0, remaining = 0, reset = 0] = texts.map(Number)
  return { limit, remaining, reset }
}

/** Whether Reset is an epoch in seconds, of the years 2001 to 5138. */
export function isEpochSeconds(reset: number): boolean {
  return reset >= 1e9 && reset < 1e11
}
