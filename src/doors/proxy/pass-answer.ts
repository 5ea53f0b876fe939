import type { IncomingMessage, ServerResponse } from 'node:http'
import { headerValue } from '../../service/call/headers.ts'
import type { Connections } from '../server/connections.ts'
import { closeGently } from '../server/write-reply.ts'
import type { CallRecord, ProxiedAnswer } from './call-record.ts'
import { headersDownstream, pairsOf } from './message-headers.ts'

interface PassOptions {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly connections: Connections
  /** Ends when the answer is sent or broken off. */
  readonly record: CallRecord
  /** Whether the client's connection closes after this answer. */
  readonly endsConnection: boolean
  /** How the upstream broke its answer; read when it did. */
  readonly faultOf: () => ProxiedAnswer['fault']
  /** The answer's head cannot be written. */
  readonly onFailure: (error: Error) => void
}

/** Writes an answer to the client as it comes, and reads it as fast as the client does. */
export function passAnswer(incoming: IncomingMessage, options: PassOptions): void {
  const { request, response, connections, record, endsConnection, faultOf, onFailure } = options
  if (response.destroyed) {
    incoming.destroy()
    return
  }
  const answeredAt = Date.now()
  const { statusCode: status = 502, rawHeaders } = incoming
  const end = (fault: ProxiedAnswer['fault']) =>
    record.end({ status, headers: rawHeaders, fault, failure: undefined }, answeredAt)
  const hasTrailers =
    request.method !== 'HEAD' &&
    request.httpVersion === '1.1' &&
    headerValue(rawHeaders, 'transfer-encoding') !== undefined
  const headers = headersDownstream(rawHeaders, hasTrailers)
  if (endsConnection) headers.push('Connection', 'close')
  // Pass answers without Date on without one.
  response.sendDate = false
  try {
    response.writeHead(status, reasonOf(incoming), headers)
  } catch (error) {
    incoming.on('error', () => {}).destroy()
    response.statusMessage = ''
    onFailure(error instanceof Error ? error : new Error(String(error)))
    return
  }
  const breakOff = () => {
    const fault = faultOf()
    end(fault)
    // Inside the event, Node still holds the socket, and a reset would become a normal end.
    setImmediate(() =>
      connections.atTurn(response, () => {
        if (fault === 'reset') request.socket.resetAndDestroy()
        else closeGently(request.socket)
      }),
    )
  }
  incoming.on('data', chunk => record.answerBody.add(chunk)).pipe(response, { end: false })
  incoming.on('error', () => {})
  incoming.once('end', () => {
    if (hasTrailers && incoming.rawTrailers.length > 0) response.addTrailers(pairsOf(incoming.rawTrailers))
    response.end()
    end(undefined)
  })
  incoming.once('close', () => {
    if (!incoming.readableEnded && !response.destroyed) breakOff()
  })
  // An event stream may send its head long before its body. Usually the body is already here.
  setImmediate(() => {
    if (!response.writableEnded) response.flushHeaders()
  })
}

/** The reason phrase, without characters that a status line cannot hold (RFC 9112, section 4). */
function reasonOf({ statusMessage = '' }: IncomingMessage): string {
  return statusMessage.replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
}
