import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { formatDuration } from '../../base/time/duration.ts'
import { httpDate } from '../../base/time/instant.ts'
import { finish } from '../../emulator/replies/finish-reply.ts'
import { refuse } from '../../service/call/answer.ts'
import type { Reply } from '../../service/call/call.ts'
import { headerValue } from '../../service/call/headers.ts'
import { problems, type Reason } from '../../service/call/problems.ts'
import type { Connections } from './connections.ts'
import { explainHandshake, plainHttp } from './handshake.ts'
import { writeReplyByHand, writeReplyEarly, writeReplyOverHttp2 } from './write-reply.ts'

/** How long a client may take to send a request, in milliseconds: its headers, and all of it (0: no limit). */
export interface Timeouts {
  readonly headersMs: number
  readonly requestMs: number
}

export const defaultTimeouts: Timeouts = { headersMs: 10_000, requestMs: 30_000 }

/** A reply of the door itself. The request never became a call, so no journal has it. */
export interface Refusal extends Reason {
  /** The door's time. */
  readonly at: number
  readonly status: number
  readonly client: string
}

/** The error of Node's parser for the first bytes of HTTP/2 (RFC 9113, section 3.4). */
const preface = 'HPE_PAUSED_H2_UPGRADE'

function explainParserError(error: ParserError, { headersMs, requestMs }: Timeouts): Reason {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT': {
      const whole = requestMs === 0 ? '' : `, all of it within ${formatDuration(requestMs)}`
      const limits = `headers within ${formatDuration(headersMs)}${whole}`
      return { code: 'request_timeout', message: `The request did not arrive in time: ${limits}.` }
    }
    case 'HPE_HEADER_OVERFLOW':
      return { code: 'headers_too_large', message: 'The request line and headers are larger than 16 KiB.' }
    case 'HPE_INVALID_EOF_STATE':
      return badRequest('The connection was closed in the middle of the request.')
    case preface:
      return badRequest(
        'pet-mock speaks HTTP/1.1, not HTTP/2: turn off HTTP/2 with prior knowledge in the client.',
      )
    default:
      return badRequest(
        // The bytes begin a TLS handshake (RFC 8446, section 5.1).
        error.rawPacket?.[0] === 0x16 && error.rawPacket[1] === 3
          ? 'The request is TLS, but pet-mock speaks plain HTTP: use http:// instead of https:// in the URL.'
          : 'This is not a valid HTTP/1.1 request.',
      )
  }
}

interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Uint8Array
}

/** True if no client is left to answer. */
function isNobody({ code }: NodeJS.ErrnoException, socket: Duplex): boolean {
  if (code === 'ECONNRESET' || code === 'EPIPE') return true
  // Browsers open spare connections. An unused one gets its 408, but no report.
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket instanceof Socket && socket.bytesRead === 0
}

function badRequest(message: string): Reason {
  return { code: 'bad_request', message }
}

const connectRefusal = badRequest('pet-mock does not support CONNECT.')
export const ownFailure: Reason = {
  code: 'internal_error',
  message: 'pet-mock failed on this call. Its log says why.',
}

/** The bodies of others take all the memory that bodies may take. */
export const serverBusy = {
  code: 'server_busy',
  message: 'pet-mock is reading 64 MB of other large bodies. Try again in a second.',
} as const satisfies Reason

const missingHost = badRequest('The Host header is missing (RFC 9112, section 3.2).')
const otherVersion = badRequest('pet-mock speaks HTTP/1.1 and HTTP/1.0.')
const otherCoding = badRequest('A Transfer-Encoding other than chunked is not supported.')

/** Finds requests that Node's parser accepts and pet-mock rejects. */
export function checkRequest(request: IncomingMessage): Reason | undefined {
  const { httpVersion, rawHeaders } = request
  if (httpVersion === '1.1') {
    if (headerValue(rawHeaders, 'host') === undefined) return missingHost
  } else if (httpVersion !== '1.0') return otherVersion
  if (headerValue(rawHeaders, 'transfer-encoding') === undefined) return undefined
  // The parser decodes chunked only, and rejects a request whose last coding is another one.
  return /,\s*chunked$/i.test(request.headers['transfer-encoding'] ?? '') ? otherCoding : undefined
}

/** The reply to a request that never became a call. No key was read, so it has no limit headers (A03). */
export function replyWithoutCall({ code, message }: Reason): Reply {
  const date = httpDate(Date.now())
  const wait = code === serverBusy.code ? { 'Retry-After': '1' } : undefined
  const { status, headers, body } = finish(refuse(code, message, wait), undefined, date, undefined, 'GET')
  return { status, headers: { ...headers, Connection: 'close' }, body }
}

/** Answers a request that may still be sending, and reports the refusal. */
export function refuseRequest(
  request: IncomingMessage,
  response: ServerResponse,
  reason: Reason,
  onRefusal?: (refusal: Refusal) => void,
): void {
  onRefusal?.(toRefusal(reason, request.socket))
  writeReplyEarly(request, response, replyWithoutCall(reason))
}

function toRefusal({ code, message }: Reason, socket: Duplex): Refusal {
  const client = (socket instanceof Socket && socket.remoteAddress) || 'unknown'
  return { at: Date.now(), status: problems[code], code, message, client }
}

/** Answers what Node's parser rejects, and CONNECT: there is no response object for either. */
export function refuseBrokenRequests(
  server: Server,
  options: { readonly timeouts?: Timeouts; readonly onRefusal?: (refusal: Refusal) => void },
  connections: Connections,
): void {
  const { timeouts = defaultTimeouts, onRefusal } = options
  const refuse = (socket: Duplex, reason: Reason, isReported: boolean, begins?: Uint8Array) =>
    connections.afterCalls(socket, () => {
      if (!socket.writable) return
      if (isReported) onRefusal?.(toRefusal(reason, socket))
      const reply = replyWithoutCall(reason)
      if (begins === undefined) writeReplyByHand(socket, reply)
      else void writeReplyOverHttp2(socket, begins, reply)
    })
  server.on('connect', (_request, socket) => {
    // Node no longer handles errors of this socket.
    socket.on('error', () => socket.destroy())
    refuse(socket, connectRefusal, true)
  })
  server.on('clientError', (error, socket) => {
    if (connections.isHandshake(socket)) {
      const reason = badRequest(explainHandshake(error))
      if (!isNobody(error, socket)) onRefusal?.(toRefusal(reason, socket))
      const raw = Object(error).code === plainHttp ? connections.below(socket) : undefined
      if (raw === undefined) socket.destroy()
      else writeReplyByHand(raw, replyWithoutCall(reason))
      return
    }
    const end = () => {
      if (connections.isAnswered(socket)) socket.destroy()
      else {
        const { code, rawPacket }: ParserError = error
        const begins = code === preface ? rawPacket : undefined
        refuse(socket, explainParserError(error, timeouts), !isNobody(error, socket), begins)
      }
    }
    if (Object(error).code === 'ERR_HTTP_REQUEST_TIMEOUT') connections.unlessCalled(socket, end)
    else end()
  })
}
