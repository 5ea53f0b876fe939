import type { Exchange } from '../../../emulator/journal/exchange.ts'
import { traitsOf } from '../../../service/call/fault.ts'

/** An exchange as its texts, whoever was the server. */
export interface ExchangeTexts {
  readonly method: string
  /** Path and query below the base URL: `/pets?limit=5`. */
  readonly target: string
  /** By lower-case name. */
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBody: string | undefined
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** Undefined where a reply has none: to HEAD, and with 204 and 304. */
  readonly body: string | undefined
}

/** Who is refused for its Host, or asks what a page may ask, has not reached the API (A01, A03). */
const outside: ReadonlySet<string> = new Set(['host', 'preflight'])

/** The texts of an exchange; undefined when it is none of the API's, which is below `base`, or no reply came whole. */
export function textsOf({ call, reply, cut, trace }: Exchange, base = '/v1'): ExchangeTexts | undefined {
  const target = belowBase(call.target, base)
  if (target === undefined || outside.has(trace.gate)) return undefined
  if (reply.fault !== undefined && traitsOf(reply.fault).arrives !== 'whole') return undefined
  if (call.method === 'HEAD' || cut.call !== undefined || cut.reply !== undefined) return undefined
  const { body } = call
  return {
    method: call.method,
    target,
    requestHeaders: byName(call.headers),
    requestBody: body instanceof Uint8Array && body.length > 0 ? new TextDecoder().decode(body) : undefined,
    status: reply.status,
    headers: byName(Object.entries(reply.headers).flat()),
    body: reply.body,
  }
}

/** A target without the base path of the API; undefined when it is not below that. */
export function belowBase(target: string, base: string): string | undefined {
  if (!target.startsWith(base)) return undefined
  const rest = target.slice(base.length)
  return rest.startsWith('/') ? rest : undefined
}

/** Header lines, by lower-case name; several of one name are one value (RFC 9110, section 5.3). */
export function byName(headers: readonly string[]): Readonly<Record<string, string>> {
  const named: Record<string, string> = {}
  for (let index = 0; index < headers.length; index += 2) {
    const name = (headers[index] ?? '').toLowerCase()
    const value = headers[index + 1] ?? ''
    named[name] = name in named ? `${named[name]}, ${value}` : value
  }
  return named
}
