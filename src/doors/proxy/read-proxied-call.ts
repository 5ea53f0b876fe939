import type { Exchange } from '../../emulator/journal/exchange.ts'
import { unmetMark } from '../../emulator/rules/injected-answer.ts'
import { defaultSandbox } from '../../emulator/worlds/sandboxes.ts'
import { seenTrace } from '../../judges/exchanges/seen-trace.ts'
import { asReplyHeaders, byName } from '../../judges/exchanges/texts.ts'
import { readCredential } from '../../service/keys/credential.ts'
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
    const headers = asReplyHeaders(answer.headers)
    const request = readBody(requestBody, byName(call.headers)['content-encoding'])
    const reply = readBody(answer.body, headers['Content-Encoding'])
    const body = reply.bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(reply.bytes)
    const credential = readCredential(call.headers)
    // A key that the service rejects is not one of its keys.
    const key = credential.kind === 'key' && status !== 401 ? credential.text : undefined
    const mark = markOf(answer, headers)
    const seen = seenTrace(call, { status, body }, { base, key, failure: answer.failure?.code, mark })
    const { gate, code } = seen
    const isInjected = injected?.isAnswer === true || seen.synthetic
    const isBan = code === 'api_key_banned'
    const isRefusal = !isInjected && (code === 'rate_limit_exceeded' || isBan)
    const standing =
      key === undefined || isInjected || gate === 'api' || gate === 'preflight'
        ? undefined
        : history({ key, headers, at, id: last, isRefusal, isBan })
    const { plan, limit, strikes = 0, wasBanned } = standing ?? {}
    const rules = injected?.rules ?? seen.rules
    const trace = { ...seen, plan, limit, strikes, rules, synthetic: isInjected }
    return {
      id: last,
      sandbox: defaultSandbox,
      at,
      scale: 1,
      call: { ...call, body: request.bytes?.length === 0 ? undefined : request.bytes },
      reply: {
        status,
        headers,
        body: body === '' ? undefined : body,
        ...(injected !== undefined && injected.delayMs > 0 && { delayMs: injected.delayMs }),
        ...(fault !== undefined && { fault }),
        ...(injected?.spared !== undefined && { spared: injected.spared }),
      },
      answeredAt: at,
      trace:
        injected?.isAnswer === true
          ? { ...trace, gate: 'rule', operation: undefined }
          : gate === 'limit' && wasBanned
            ? { ...trace, gate: 'ban' }
            : trace,
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

/** The decoded body. `cut`: the size of a body that was not kept or cannot be decoded. */
function readBody({ bytes, size }: CapturedBody, codings: string | undefined) {
  const decoded = bytes === undefined || bytes.length === 0 ? bytes : decodeBody(bytes, codings, mostJudged)
  return decoded === undefined ? { bytes: undefined, cut: size } : { bytes: decoded, cut: undefined }
}
