import { utf8Length } from '../../base/json/utf8.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { Call, Reply } from '../../service/call/call.ts'
import { faultName, faultTraits } from '../../service/call/fault.ts'
import { headerValue, pairsOf } from '../../service/call/headers.ts'
import { readQuery, readTarget } from '../../service/call/target.ts'
import { decodeBody, type Show } from './conceal.ts'
import { showExchange } from './view.ts'

/**
 * JSON of exchanges in order: an HTTP archive, version 1.2, which browsers import. Fields of pet-mock begin with `_`.
 * `evicted`: the number of earlier requests that were dropped, once all are written.
 */
export function* writeHar(
  exchanges: Iterable<Exchange>,
  showOf: (exchange: Exchange) => Show,
  version: string,
  evicted: () => number,
): Generator<string> {
  const head = { version: '1.2', creator: { name: 'pet-mock', version } }
  yield `{"log":${JSON.stringify(head).slice(0, -1)},"entries":[`
  let before = ''
  for (const exchange of exchanges) {
    yield before + JSON.stringify(writeEntry(exchange, showOf(exchange)))
    before = ','
  }
  const dropped = evicted()
  const comment = JSON.stringify(`${dropped} earlier requests are no longer kept.`)
  yield dropped === 0 ? ']}}' : `],"comment":${comment}}}`
}

const httpVersion = 'HTTP/1.1'

function writeEntry(exchange: Exchange, show: Show) {
  const { id, sandbox, at, gate, key, plan, receivedAt } = showExchange(exchange, show)
  const wait = exchange.reply.delayMs ?? 0
  return {
    startedDateTime: receivedAt,
    time: wait,
    request: writeRequest(exchange, show),
    response: writeResponse(exchange, show),
    cache: {},
    timings: { send: 0, wait, receive: 0 },
    _petMock: { id, sandbox, at, gate, key, plan },
  }
}

function writeRequest(exchange: Exchange, show: Show) {
  const { call, cut } = exchange
  return {
    method: call.method,
    url: urlOf(call, show),
    httpVersion,
    cookies: [],
    headers: pairs(call.headers, show),
    queryString: readQuery(readTarget(call.target).query).map(({ name, value = '' }) => ({
      name,
      value: show.parameter(name, value),
    })),
    ...postData(exchange, show),
    headersSize: -1,
    bodySize:
      call.body instanceof Uint8Array ? (cut.call ?? call.body.length) : call.body === undefined ? 0 : -1,
  }
}

function writeResponse({ reply, cut }: Exchange, show: Show) {
  const error = reply.fault && faultTraits[faultName(reply.fault)].harError
  const { status, headers, body }: Reply =
    error === undefined ? reply : { status: 0, headers: {}, body: undefined }
  const size = body === undefined ? 0 : (cut.reply ?? utf8Length(body))
  return {
    status,
    // HTTP/2 has no status text, and no browser needs it.
    statusText: '',
    httpVersion,
    cookies: [],
    // A browser that replays the archive sends them, so they must be valid.
    headers: pairs(Object.entries(headers).flat(), show, encode),
    content: {
      size,
      mimeType: show.target(headers['Content-Type'] ?? 'x-unknown'),
      ...(body !== undefined && { text: show.text(body) }),
      ...(body !== undefined && cut.reply !== undefined && { comment: cutComment }),
    },
    redirectURL: '',
    headersSize: -1,
    bodySize: size,
    ...(error !== undefined && { _error: error }),
  }
}

const cutComment = 'Only the first 16 KiB are kept.'

function postData({ call: { body, headers }, cut }: Exchange, show: Show) {
  if (!(body instanceof Uint8Array) || body.length === 0) return {}
  const type = headerValue(headers, 'content-type')
  const data = {
    mimeType: typeof type === 'string' ? show.target(type) : 'application/octet-stream',
    text: show.text(decodeBody({ body }) ?? ''),
  }
  return { postData: cut.call === undefined ? data : { ...data, comment: cutComment } }
}

function pairs(headers: readonly string[], show: Show, encode = (text: string) => text) {
  return pairsOf(headers).map(([name, value]) => ({ name, value: encode(show.header(name, value)) }))
}

/** URLs and headers are ASCII, but a mask is not. */
function encode(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd').replace(/[^ -~]+/gu, part => encodeURIComponent(part))
}

function urlOf({ target, scheme, headers }: Call, show: Show): string {
  const shown = encode(show.target(target))
  if (!shown.startsWith('/')) return shown
  const host = headerValue(headers, 'host')
  return `${scheme}://${typeof host === 'string' ? encode(show.target(host)) : 'localhost'}${shown}`
}
