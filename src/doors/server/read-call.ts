import type { IncomingMessage } from 'node:http'
import type { Call, Connection, Timing } from '../../service/call/call.ts'
import { headerValue } from '../../service/call/headers.ts'
import { GrowingBytes } from './growing-bytes.ts'

/**
 * Whether a body follows the headers (RFC 9112, section 6.3). Reads the raw headers, because Node parses the others
 * only on first use.
 */
export function hasBody({ rawHeaders }: IncomingMessage): boolean {
  const length = headerValue(rawHeaders, 'content-length')
  return (
    (length !== undefined && length !== '0') || headerValue(rawHeaders, 'transfer-encoding') !== undefined
  )
}

export function declaresTooMuch({ rawHeaders }: IncomingMessage, most: number): boolean {
  const length = headerValue(rawHeaders, 'content-length')
  return typeof length === 'string' && Number(length) > most
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
    scheme: 'encrypted' in request.socket ? 'https' : 'http',
    client: request.socket.remoteAddress ?? 'unknown',
    connection,
    receivedAt,
    timing,
  }
}

/**
 * Calls back once with the body, or as soon as it is too large. Never calls back if the client leaves. Returns a function
 * that stops reading.
 */
export function readBody(
  request: IncomingMessage,
  most: number,
  done: (body: Uint8Array | 'too-large') => void,
): () => void {
  if (declaresTooMuch(request, most)) {
    done('too-large')
    return () => {}
  }
  const bytes = new GrowingBytes()
  const take = (chunk: Buffer) => {
    if (bytes.size + chunk.length <= most) bytes.add(chunk)
    else {
      stop()
      done('too-large')
    }
  }
  const finish = () => done(bytes.all())
  const stop = () => request.off('data', take).off('end', finish)
  request.on('data', take).on('end', finish)
  return stop
}
