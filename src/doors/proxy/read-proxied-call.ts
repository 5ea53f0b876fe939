import { readJson } from '../../base/json/read.ts'
import type { Exchange, Gate, Trace } from '../../emulator/journal/exchange.ts'
import { unmetMark } from '../../emulator/rules/injected-answer.ts'
import { defaultSandbox } from '../../emulator/worlds/sandboxes.ts'
import { belowBase, byName } from '../../judges/contract/prism/exchange-texts.ts'
import { clip } from '../../service/call/echo.ts'
import { readTarget } from '../../service/call/target.ts'
import { readCredential } from '../../service/keys/credential.ts'
import { operationAt } from '../../service/operations/routes.ts'
import type { ProxiedCall } from './call-record.ts'
import type { CapturedBody } from './captured-bodies.ts'
import { decodeBody } from './decode-body.ts'
import { createKeyHistory } from './key-history.ts'

/** Bytes of a decoded body that is judged. */
export const mostJudged = 1_048_576

/** Reads proxied calls as exchanges, in the order of their answers. `base`: the API's base path. */
export function createProxiedCallReader(base: string): (proxied: ProxiedCall) => Exchange {
  const history = createKeyHistory()
  let last = 0
  return ({ call, requestBody, answer, answeredAt: at }) => {
    last += 1
    const { status, injected } = answer
    const fault = injected?.fault ?? answer.fault
    const headers = namedHeaders(answer.headers)
    const request = readBody(requestBody, byName(call.headers)['content-encoding'])
    const reply = readBody(answer.body, headers['Content-Encoding'])
    const text = reply.bytes && new TextDecoder().decode(reply.bytes)
    const credential = readCredential(call.headers)
    // A key that the service rejects is not one of its keys.
    const key = credential.kind === 'key' && status !== 401 ? credential.text : undefined
    const code = answer.failure?.code ?? codeOf(status, text)
    const mark = markOf(answer, headers)
    const isInjected = injected?.isAnswer === true || mark !== undefined
    const gate = injected?.isAnswer ? 'rule' : gateOf(call, base, status, code)
    const isRefusal = !isInjected && (code === 'rate_limit_exceeded' || code === 'api_key_banned')
    const standing =
      key === undefined || isInjected || gate === 'api' || gate === 'preflight'
        ? undefined
        : history({ key, headers, at, id: last, isRefusal, isBan: code === 'api_key_banned' })
    const path = belowBase(readTarget(call.target).path, base)
    const trace: Trace = {
      gate: gate === 'limit' && standing?.wasBanned ? 'ban' : gate,
      code,
      key,
      plan: standing?.plan,
      limit: standing?.limit,
      strikes: standing?.strikes ?? 0,
      bannedUntil: undefined,
      banAfter: undefined,
      operation:
        gate === 'operation' && path !== undefined ? operationAt(`/v1${path}`, call.method) : undefined,
      stability: undefined,
      rules: injected?.rules ?? (mark === undefined ? undefined : [mark]),
      synthetic: isInjected,
      mismatches: undefined,
    }
    return {
      id: last,
      sandbox: defaultSandbox,
      at,
      scale: 1,
      call: { ...call, body: request.bytes?.length === 0 ? undefined : request.bytes },
      reply: {
        status,
        headers,
        body: text === '' ? undefined : text,
        ...(injected !== undefined && injected.delayMs > 0 && { delayMs: injected.delayMs }),
        ...(fault !== undefined && { fault }),
        ...(injected?.spared !== undefined && { spared: injected.spared }),
      },
      answeredAt: at,
      trace,
      cut: { call: request.cut, reply: reply.cut },
    }
  }
}

/** Who made an answer that is not the service's: the proxy, or an emulator behind it. */
function markOf(
  { failure, injected }: ProxiedCall['answer'],
  headers: Readonly<Record<string, string>>,
): string | undefined {
  if (failure !== undefined) return 'proxy'
  const mark = injected === undefined ? headers['X-Pet-Mock'] : undefined
  // Nothing was injected: the mark only says that a `Prefer` header was not met.
  return mark?.startsWith(unmetMark) ? undefined : mark
}

/** Headers by capitalised name, such as `Retry-After`. */
function namedHeaders(headers: readonly string[]): Readonly<Record<string, string>> {
  const capitalise = (name: string) => name.replace(/(?<![a-z0-9])[a-z]/g, letter => letter.toUpperCase())
  return Object.fromEntries(Object.entries(byName(headers)).map(([name, text]) => [capitalise(name), text]))
}

/** The decoded body. `cut`: the size of a body that was not kept or cannot be decoded. */
function readBody({ bytes, size }: CapturedBody, codings: string | undefined) {
  const decoded = bytes === undefined || bytes.length === 0 ? bytes : decodeBody(bytes, codings, mostJudged)
  return decoded === undefined ? { bytes: undefined, cut: size } : { bytes: decoded, cut: undefined }
}

const longestCode = 60
const longestError = 16_384

/** The code of an error. 429 is a limit, whatever code the service gives (RFC 6585, section 4). */
function codeOf(status: number, text: string | undefined): string | undefined {
  if (status < 400) return undefined
  const reading = text !== undefined && text.length <= longestError ? readJson(text) : { problem: 'too long' }
  const { value } = 'value' in reading ? reading : { value: null }
  const code = typeof value === 'object' && value !== null && 'code' in value ? value.code : undefined
  if (code === 'api_key_banned') return code
  if (status === 429) return 'rate_limit_exceeded'
  return typeof code === 'string' ? clip(code, longestCode) : undefined
}

function gateOf(
  { method, target, headers }: ProxiedCall['call'],
  base: string,
  status: number,
  code: string | undefined,
): Gate {
  if (code === 'upstream_failed') return 'failure'
  if (belowBase(readTarget(target).path, base) === undefined) return 'api'
  const isPreflight = headers.some(
    (name, index) => index % 2 === 0 && /^access-control-request-method$/i.test(name),
  )
  if (method === 'OPTIONS' && isPreflight) return 'preflight'
  if (status === 401) return 'key'
  if (status === 429 || code === 'api_key_banned') return 'limit'
  return code === 'endpoint_removed' || code === 'route_not_found' || status === 405 ? 'route' : 'operation'
}
