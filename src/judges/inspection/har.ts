import { utf8Length } from '../../base/json/utf8.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { Reply } from '../../service/call/call.ts'
import { traitsOf } from '../../service/call/fault.ts'
import { headerValue } from '../../service/call/headers.ts'
import { readQuery } from '../../service/call/query.ts'
import { readTarget } from '../../service/call/target.ts'
import type { ShowText } from './conceal.ts'
import { showExchange } from './view.ts'

/** An HTTP archive, version 1.2, as browsers import it. Fields of our own begin with an underscore. */
export interface Har {
  readonly log: {
    readonly version: '1.2'
    readonly creator: { readonly name: string; readonly version: string }
    readonly entries: readonly HarEntry[]
    readonly comment?: string
  }
}

interface NameValue {
  readonly name: string
  readonly value: string
}

export interface HarEntry {
  readonly startedDateTime: string
  /** Milliseconds. */
  readonly time: number
  readonly request: {
    readonly method: string
    readonly url: string
    readonly httpVersion: string
    readonly cookies: readonly []
    readonly headers: readonly NameValue[]
    readonly queryString: readonly NameValue[]
    readonly postData?: { readonly mimeType: string; readonly text: string; readonly comment?: string }
    readonly headersSize: -1
    readonly bodySize: number
  }
  readonly response: {
    /** 0: the client got none. */
    readonly status: number
    readonly statusText: string
    readonly httpVersion: string
    readonly cookies: readonly []
    readonly headers: readonly NameValue[]
    readonly content: {
      readonly size: number
      readonly mimeType: string
      readonly text?: string
      readonly comment?: string
    }
    readonly redirectURL: string
    readonly headersSize: -1
    readonly bodySize: number
    readonly _error?: string
  }
  readonly cache: object
  readonly timings: { readonly send: number; readonly wait: number; readonly receive: number }
  readonly _petMock: {
    readonly id: number
    readonly sandbox: string
    readonly at: string
    readonly gate: string
    readonly key: string | null
    readonly plan: string | null
  }
}

const httpVersion = 'HTTP/1.1'

/** Exchanges in the order in which they came, as their client would have recorded them. */
export function writeHar(
  exchanges: readonly Exchange[],
  textOf: (exchange: Exchange) => ShowText,
  version: string,
  evicted: number,
): Har {
  const entries = exchanges.map(exchange => writeEntry(exchange, textOf(exchange)))
  const log = { version: '1.2', creator: { name: 'pet-mock', version }, entries } as const
  return { log: evicted === 0 ? log : { ...log, comment: `${evicted} earlier requests are no longer kept.` } }
}

function writeEntry(exchange: Exchange, text: ShowText): HarEntry {
  const { call, reply } = exchange
  const { id, sandbox, at, gate, key, plan, receivedAt } = showExchange(exchange, text)
  const wait = reply.delayMs ?? 0
  return {
    startedDateTime: receivedAt,
    time: wait,
    request: {
      method: call.method,
      url: urlOf(exchange, text),
      httpVersion,
      cookies: [],
      headers: pairs(call.headers, text),
      queryString: readQuery(readTarget(call.target).query).map(({ name, value = '' }) => ({
        name,
        value: text(value),
      })),
      ...postData(exchange, text),
      headersSize: -1,
      bodySize:
        call.body === undefined
          ? 0
          : call.body === 'too-large'
            ? -1
            : (exchange.cut.call ?? call.body.length),
    },
    response: writeResponse(exchange, text),
    cache: {},
    timings: { send: 0, wait, receive: 0 },
    _petMock: { id, sandbox, at, gate, key, plan },
  }
}

function writeResponse({ reply, cut }: Exchange, text: ShowText): HarEntry['response'] {
  const error = reply.fault && traitsOf(reply.fault).harError
  const { status, headers, body }: Reply =
    error === undefined ? reply : { status: 0, headers: {}, body: undefined }
  const size = body === undefined ? 0 : (cut.reply ?? utf8Length(body))
  return {
    status,
    // HTTP/2 has none, and no browser needs it.
    statusText: '',
    httpVersion,
    cookies: [],
    // A browser that replays the archive sends them: they are as headers must be.
    headers: pairs(Object.entries(headers).flat(), part => encode(text(part))),
    content: {
      size,
      mimeType: headers['Content-Type'] ?? 'x-unknown',
      ...(body !== undefined && { text: text(body) }),
      ...(body !== undefined && cut.reply !== undefined && { comment: onlyTheFirst }),
    },
    redirectURL: '',
    headersSize: -1,
    bodySize: size,
    ...(error !== undefined && { _error: error }),
  }
}

const onlyTheFirst = 'Only the first 16 KiB are kept.'

function postData({ call: { body, headers }, cut }: Exchange, text: ShowText) {
  if (!(body instanceof Uint8Array) || body.length === 0) return {}
  const type = headerValue(headers, 'content-type')
  const data = {
    mimeType: typeof type === 'string' ? type : 'application/octet-stream',
    text: text(new TextDecoder().decode(body)),
  }
  return { postData: cut.call === undefined ? data : { ...data, comment: onlyTheFirst } }
}

function pairs(headers: readonly string[], text: ShowText): readonly NameValue[] {
  return Array.from({ length: headers.length / 2 }, (_, index) => ({
    name: headers[2 * index] ?? '',
    value: text(headers[2 * index + 1] ?? ''),
  }))
}

/** Neither an address nor a header that is sent has characters beyond ASCII: what a mask brings is encoded. */
function encode(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd').replace(/[^ -~]+/gu, part => encodeURIComponent(part))
}

function urlOf({ call: { target, scheme, headers } }: Exchange, text: ShowText): string {
  const shown = encode(text(target))
  if (!shown.startsWith('/')) return shown
  const host = headerValue(headers, 'host')
  return `${scheme}://${typeof host === 'string' ? host : 'localhost'}${shown}`
}
