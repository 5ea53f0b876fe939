import zlib from 'node:zlib'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import { unmetMark } from '../../emulator/rules/injected-answer.ts'
import { defaultSandbox } from '../../emulator/worlds/sandboxes.ts'
import { seenTrace } from '../../judges/exchanges/seen-trace.ts'
import { asReplyHeaders, byName } from '../../judges/exchanges/texts.ts'
import { readCredential } from '../../service/keys/credential.ts'
import type { ProxiedCall } from './call-record.ts'
import type { CapturedBody } from './captured-bodies.ts'
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
function markOf({ failure, injected }: ProxiedCall['answer'], headers: Readonly<Record<string, string>>) {
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

type Decoder = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array

/** By content coding (RFC 9110, section 8.4.1). */
const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['identity', bytes => bytes],
  ['gzip', zlib.gunzipSync],
  ['x-gzip', zlib.gunzipSync],
  ['deflate', inflate],
  ['br', zlib.brotliDecompressSync],
  // Since Node 22.15.
  ...('zstdDecompressSync' in zlib ? [['zstd', zlib.zstdDecompressSync as Decoder] as const] : []),
])

/** Limits the work that a hostile header can cause. */
const mostCodings = 3

/** The decoded body; undefined if it exceeds `most` bytes, is broken, or has an unknown coding. */
export function decodeBody(bytes: Uint8Array, codings: string | undefined, most: number) {
  const names = (codings ?? '').split(',').map(name => name.trim().toLowerCase())
  const known = names.filter(name => name !== '').map(name => decoders.get(name))
  if (known.length > mostCodings) return undefined
  try {
    // The header lists codings in the order of their application.
    return known.toReversed().reduce<Uint8Array | undefined>((coded, decode) => {
      return coded === undefined ? undefined : decode?.(coded, { maxOutputLength: most })
    }, bytes)
  } catch {
    return undefined
  }
}

/** Some servers send `deflate` without its zlib frame. */
function inflate(bytes: Uint8Array, options: { readonly maxOutputLength: number }): Uint8Array {
  const hasFrame = ((bytes[0] ?? 0) & 0x0f) === 8 && (((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)) % 31 === 0
  return hasFrame ? zlib.inflateSync(bytes, options) : zlib.inflateRawSync(bytes, options)
}
