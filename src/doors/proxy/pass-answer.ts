import type { IncomingMessage, ServerResponse } from 'node:http'
import { headerValue } from '../../service/call/headers.ts'
import type { Connections } from '../server/connections.ts'
import { closeGently } from '../server/write-reply.ts'
import type { Capture } from './captured-bodies.ts'
import { headersDownstream, pairsOf } from './message-headers.ts'
import type { PassedAnswer } from './proxied-call.ts'

interface Client {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly connections: Connections
  /** Of the answer. */
  readonly body: Capture
}

interface Events {
  /** Whether nothing more is read from the client's connection after this answer. */
  readonly endsConnection: boolean
  /** How it was broken off, asked when it was. */
  readonly faultOf: () => PassedAnswer['fault']
  /** Its head cannot be written. */
  readonly onFailure: (error: Error) => void
  /** It is out, or broken off. `answeredAt`: when its head came. */
  readonly onEnd: (answer: Omit<PassedAnswer, 'body'>, answeredAt: number) => void
}

/** Writes an answer to the client as it comes, as fast as the client takes it. */
export function passAnswer(
  incoming: IncomingMessage,
  { request, response, connections, body }: Client,
  { endsConnection, faultOf, onFailure, onEnd }: Events,
): void {
  if (response.destroyed) {
    incoming.destroy()
    return
  }
  const answeredAt = Date.now()
  const { statusCode: status = 502, rawHeaders } = incoming
  const end = (fault: PassedAnswer['fault']) =>
    onEnd({ status, headers: rawHeaders, fault, failure: undefined }, answeredAt)
  const hasTrailers =
    request.method !== 'HEAD' &&
    request.httpVersion === '1.1' &&
    headerValue(rawHeaders, 'transfer-encoding') !== undefined
  const headers = headersDownstream(rawHeaders, hasTrailers)
  if (endsConnection) headers.push('Connection', 'close')
  // What has no Date had none from its server.
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
    // Not in the event itself, where Node still holds the socket back: a reset would be a proper end.
    setImmediate(() =>
      connections.atTurn(response, () => {
        if (fault === 'reset') request.socket.resetAndDestroy()
        else closeGently(request.socket)
      }),
    )
  }
  incoming.on('data', chunk => body.add(chunk)).pipe(response, { end: false })
  incoming.on('error', () => {})
  incoming.once('end', () => {
    if (hasTrailers && incoming.rawTrailers.length > 0) response.addTrailers(pairsOf(incoming.rawTrailers))
    response.end()
    end(undefined)
  })
  incoming.once('close', () => {
    if (!incoming.readableEnded && !response.destroyed) breakOff()
  })
  // The head may be all that comes for a long time, as of an event stream. Mostly the body is here already.
  setImmediate(() => {
    if (!response.writableEnded) response.flushHeaders()
  })
}

/** Its phrase, without what a status line cannot hold (RFC 9112, section 4). */
function reasonOf({ statusMessage = '' }: IncomingMessage): string {
  return statusMessage.replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
}
