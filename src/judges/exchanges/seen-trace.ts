import { isJsonObject } from '../../base/json/is-object.ts'
import type { Exchange, Gate, Trace } from '../../emulator/journal/exchange.ts'
import { defaultSandbox } from '../../emulator/worlds/sandboxes.ts'
import type { Call, Reply } from '../../service/call/call.ts'
import { clip } from '../../service/call/echo.ts'
import { headerValue } from '../../service/call/headers.ts'
import { readTarget } from '../../service/call/target.ts'
import { readCredential } from '../../service/keys/credential.ts'
import { isMasked } from '../../service/keys/mask.ts'
import { operationAt } from '../../service/operations/routes.ts'
import { belowBase, bodyJson } from './texts.ts'

/** What is known of an answer besides its message. */
interface Known {
  readonly base: string
  readonly key: string | undefined
  /** The code of an answer that is not the service's. */
  readonly failure?: string | undefined
  /** What injected the answer: a rule, an emulator or the proxy. */
  readonly mark: string | undefined
}

/** The decision behind an answer that pet-mock did not give, as far as the answer shows it. */
export function seenTrace(
  call: Pick<Call, 'method' | 'target' | 'headers'>,
  reply: Pick<Reply, 'status' | 'body'>,
  { base, key, failure, mark }: Known,
): Trace {
  const code = failure ?? codeOf(reply)
  const path = belowBase(readTarget(call.target).path, base)
  const gate = gateOf(call, path, reply.status, code)
  return {
    gate,
    code,
    key,
    plan: undefined,
    limit: undefined,
    strikes: 0,
    bannedUntil: undefined,
    banAfter: undefined,
    operation:
      gate === 'operation' && path !== undefined ? operationAt(`/v1${path}`, call.method) : undefined,
    stability: undefined,
    rules: mark === undefined ? undefined : [mark],
    synthetic: mark !== undefined,
    mismatches: undefined,
  }
}

/** An exchange of another server, as far as its messages show it. Its target begins with `/v1`. */
export function seenExchange(
  { key, ...seen }: Pick<Exchange, 'id' | 'call' | 'reply' | 'answeredAt'> & Pick<Known, 'key'>,
  { sandbox = defaultSandbox, cut = { call: undefined, reply: undefined } }: Partial<Exchange> = {},
): Exchange {
  const { call, reply } = seen
  const trace = seenTrace(call, reply, { base: '/v1', key, mark: reply.headers['X-Pet-Mock'] })
  return { ...seen, sandbox, cut, trace, at: call.receivedAt, scale: 1 }
}

const longestCode = 60
const longestError = 16_384

/** The code of an error. 429 is a limit, whatever code the service gives (RFC 6585, section 4). */
function codeOf({ status, body = '' }: Pick<Reply, 'status' | 'body'>): string | undefined {
  if (status < 400) return undefined
  const error = body.length <= longestError ? bodyJson(body) : undefined
  const code = isJsonObject(error) ? error.code : undefined
  if (code === 'api_key_banned') return code
  if (status === 429) return 'rate_limit_exceeded'
  return typeof code === 'string' ? clip(code, longestCode) : undefined
}

function gateOf(
  { method, headers }: Pick<Call, 'method' | 'headers'>,
  path: string | undefined,
  status: number,
  code: string | undefined,
): Gate {
  if (code === 'upstream_failed') return 'failure'
  if (path === undefined) return 'api'
  if (method === 'OPTIONS' && headerValue(headers, 'access-control-request-method') !== undefined)
    return 'preflight'
  if (status === 401) return 'key'
  if (status === 429 || code === 'api_key_banned') return 'limit'
  return code === 'endpoint_removed' || code === 'route_not_found' || status === 405 ? 'route' : 'operation'
}

/** Stands for a key that is no valid token. */
export const malformedKey = 'Bearer'

/** The key in Authorization; null without one. A masked key still says which calls have the same key. */
export function seenKey(authorization: string | undefined): string | null {
  if (authorization === undefined) return null
  const masked = /^bearer +(\S+)$/i.exec(authorization)?.[1]
  if (masked !== undefined && isMasked(masked)) return masked
  const credential = readCredential(['Authorization', authorization])
  if (credential.kind === 'key') return credential.text
  return credential.kind === 'malformed' ? malformedKey : null
}
