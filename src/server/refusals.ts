import type { IncomingMessage } from 'node:http'
import { type Answer, refuse } from '../call/answer.ts'
import type { Reply } from '../call/call.ts'
import { headerValue } from '../call/headers.ts'
import { formatDuration } from '../time/duration.ts'
import { httpDate } from '../time/http-date.ts'

/** How long a client may take to send a request, in milliseconds: its headers, and all of it. */
export interface Timeouts {
  readonly headersMs: number
  readonly requestMs: number
}

export const defaultTimeouts: Timeouts = { headersMs: 10_000, requestMs: 30_000 }

/** Why Node's HTTP parser gave a request up. */
export function explainParserError(
  { code }: NodeJS.ErrnoException,
  { headersMs, requestMs }: Timeouts,
): Answer {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT': {
      const limits = `headers within ${formatDuration(headersMs)}, all of it within ${formatDuration(requestMs)}`
      return refuse('request_timeout', `The request did not arrive in time: ${limits}.`)
    }
    case 'HPE_HEADER_OVERFLOW':
      return refuse('headers_too_large', 'The request line and headers are larger than 16 KiB.')
    default:
      return refuse('bad_request', 'This is not a valid HTTP/1.1 request.')
  }
}

export const connectRefusal = refuse('bad_request', 'pet-mock is no proxy: CONNECT is not possible.')
export const ownFailure = refuse('internal_error', 'pet-mock itself failed on this call. Its log says why.')

const missingHost = refuse('bad_request', 'The Host header is missing (RFC 9112, section 3.2).')
const otherVersion = refuse('bad_request', 'pet-mock speaks HTTP/1.1 and HTTP/1.0.')

const otherCoding = refuse('bad_request', 'A Transfer-Encoding other than chunked is not supported.')

/** What the parser lets pass, though it is no HTTP/1.1 request and no HTTP/1.0 request either, or not one for us. */
export function checkRequest(request: IncomingMessage): Answer | undefined {
  const { httpVersion, rawHeaders } = request
  if (httpVersion === '1.1') {
    if (headerValue(rawHeaders, 'host') === undefined) return missingHost
  } else if (httpVersion !== '1.0') return otherVersion
  if (headerValue(rawHeaders, 'transfer-encoding') === undefined) return undefined
  // The parser undoes chunked and takes what is inside for the body; where chunked is not last, it refuses by itself.
  return /,\s*chunked$/i.test(request.headers['transfer-encoding'] ?? '') ? otherCoding : undefined
}

/** The reply to what never became a call: nobody's key was read, so it carries no limit headers (A03). */
export function replyWithoutCall({ status, body, length }: Answer): Reply {
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': `${length}`,
    'X-Content-Type-Options': 'nosniff',
    Date: httpDate(Date.now()),
    Connection: 'close',
  }
  return { status, headers, body }
}
