import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { formatDuration } from '../../base/time/duration.ts'
import { httpDate } from '../../base/time/http-date.ts'
import { finish } from '../../emulator/replies/finish-reply.ts'
import { refuse } from '../../service/call/answer.ts'
import type { Reply } from '../../service/call/call.ts'
import { headerValue } from '../../service/call/headers.ts'
import { type ProblemCode, problems } from '../../service/call/problems.ts'

/** How long a client may take to send a request, in milliseconds: its headers, and all of it (0: as long as it likes). */
export interface Timeouts {
  readonly headersMs: number
  readonly requestMs: number
}

export const defaultTimeouts: Timeouts = { headersMs: 10_000, requestMs: 30_000 }

/** Why the door itself answers, in the place of the emulator. */
export interface Reason {
  readonly code: ProblemCode
  readonly message: string
}

/** What the door answered by itself: it never became a call, so no journal has it. */
export interface Refusal extends Reason {
  /** The door's time. */
  readonly at: number
  readonly status: number
  /** The client's address. */
  readonly client: string
}

/** Why Node's HTTP parser gave a request up. */
export function explainParserError(error: ParserError, { headersMs, requestMs }: Timeouts): Reason {
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
    default:
      return startsTls(error)
        ? badRequest(
            'This is TLS, and pet-mock speaks plain HTTP: the URL begins with http://, not https://.',
          )
        : badRequest('This is not a valid HTTP/1.1 request.')
  }
}

interface ParserError extends NodeJS.ErrnoException {
  /** What was being read when it failed. */
  readonly rawPacket?: Uint8Array
}

/** A record of a TLS handshake (RFC 8446, section 5.1), where a request should begin. */
function startsTls({ rawPacket }: ParserError): boolean {
  return rawPacket?.[0] === 0x16 && rawPacket[1] === 3
}

/** Whether nobody is there who was refused: the client went away, or its connection was one to spare. */
export function isNobody({ code }: NodeJS.ErrnoException, socket: Duplex): boolean {
  if (code === 'ECONNRESET' || code === 'EPIPE') return true
  // Browsers open connections that they may need; one that never was gets its 408 all the same.
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket instanceof Socket && socket.bytesRead === 0
}

function badRequest(message: string): Reason {
  return { code: 'bad_request', message }
}

export const connectRefusal = badRequest('pet-mock opens no tunnels: CONNECT is not possible.')
export const ownFailure: Reason = {
  code: 'internal_error',
  message: 'pet-mock itself failed on this call. Its log says why.',
}

const missingHost = badRequest('The Host header is missing (RFC 9112, section 3.2).')
const otherVersion = badRequest('pet-mock speaks HTTP/1.1 and HTTP/1.0.')
const otherCoding = badRequest('A Transfer-Encoding other than chunked is not supported.')

/** What the parser lets pass, though it is no HTTP/1.1 request and no HTTP/1.0 request either, or not one for us. */
export function checkRequest(request: IncomingMessage): Reason | undefined {
  const { httpVersion, rawHeaders } = request
  if (httpVersion === '1.1') {
    if (headerValue(rawHeaders, 'host') === undefined) return missingHost
  } else if (httpVersion !== '1.0') return otherVersion
  if (headerValue(rawHeaders, 'transfer-encoding') === undefined) return undefined
  // The parser undoes chunked and takes what is inside for the body; where chunked is not last, it refuses by itself.
  return /,\s*chunked$/i.test(request.headers['transfer-encoding'] ?? '') ? otherCoding : undefined
}

/** The reply to what never became a call: nobody's key was read, so it carries no limit headers (A03). */
export function replyWithoutCall({ code, message }: Reason): Reply {
  const date = httpDate(Date.now())
  const { status, headers, body } = finish(refuse(code, message), undefined, date, undefined, 'GET')
  return { status, headers: { ...headers, Connection: 'close' }, body }
}

export function tellRefusal({ code, message }: Reason, socket: Duplex): Refusal {
  const client = (socket instanceof Socket && socket.remoteAddress) || 'unknown'
  return { at: Date.now(), status: problems[code], code, message, client }
}
