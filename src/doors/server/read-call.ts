import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { Call, Connection, Timing } from '../../service/call/call.ts'
import { headerValue } from '../../service/call/headers.ts'

/** Whether a body follows (RFC 9112, section 6.3). Reads raw headers: Node parses others on first use. */
export function hasBody({ rawHeaders }: IncomingMessage): boolean {
  const length = headerValue(rawHeaders, 'content-length')
  return (
    (length !== undefined && length !== '0') || headerValue(rawHeaders, 'transfer-encoding') !== undefined
  )
}

export function declaresTooMuch(request: IncomingMessage, most: number): boolean {
  return (declaredLength(request) ?? 0) > most
}

/** The bytes of a body, if the client says how many come. */
export function declaredLength({ rawHeaders }: IncomingMessage): number | undefined {
  const length = headerValue(rawHeaders, 'content-length')
  return typeof length === 'string' ? Number(length) : undefined
}

export function makeCall(
  request: IncomingMessage,
  body: Call['body'],
  receivedAt: number,
  connection?: Connection,
  timing?: Timing,
): Call {
  return {
    method: request.method ?? 'GET',
    target: request.url ?? '/',
    headers: request.rawHeaders,
    body,
    // Bun's sockets always have `encrypted`.
    scheme: (request.socket as Partial<TLSSocket>).encrypted === true ? 'https' : 'http',
    client: request.socket.remoteAddress ?? 'unknown',
    connection,
    receivedAt,
    order: performance.now(),
    timing,
  }
}
