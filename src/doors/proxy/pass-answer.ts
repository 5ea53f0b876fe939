import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Fault, faultName, faultTraits } from '../../service/call/fault.ts'
import { headerValue } from '../../service/call/headers.ts'
import type { Connections } from '../server/connections.ts'
import type { Waits } from '../server/waits.ts'
import { closeGently } from '../server/write-reply.ts'
import { hasBrokenBody, sendBroken, spare, spareShort } from './break-answer.ts'
import type { CallRecord, ProxiedAnswer } from './call-record.ts'
import type { InjectedPassing } from './injection.ts'
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
  /** What rules change about it. */
  readonly passing: InjectedPassing | undefined
  readonly waits: Waits
  /** Changes the headers for the client. The record has the service's. */
  readonly edit: (headers: string[]) => string[]
  /** The answer's head cannot be written. */
  readonly onFailure: (error: Error) => void
}

/** Writes an answer to the client as it comes, and reads it as fast as the client does. */
export function passAnswer(incoming: IncomingMessage, options: PassOptions): void {
  const { request, response, connections, record, faultOf, onFailure, waits } = options
  const passing = options.passing && spareShort(options.passing, incoming, request.method ?? 'GET')
  const { mark, fault: broken } = passing ?? {}
  if (response.destroyed) {
    incoming.destroy()
    return
  }
  const answeredAt = Date.now()
  const { statusCode: status = 502, rawHeaders } = incoming
  const marks = mark === undefined ? [] : ['X-Pet-Mock', mark]
  const end = (fault: ProxiedAnswer['fault'], acted = passing) => {
    const answer = { status, headers: [...rawHeaders, ...marks], fault, failure: undefined }
    record.end(acted === undefined ? answer : { ...answer, injected: acted.injected }, answeredAt)
  }
  const hasTrailers =
    request.method !== 'HEAD' &&
    request.httpVersion === '1.1' &&
    headerValue(rawHeaders, 'transfer-encoding') !== undefined
  const headers = [...options.edit(headersDownstream(rawHeaders, hasTrailers)), ...marks]
  const lateClose = typeof broken === 'object' && 'slow-close' in broken ? broken['slow-close'] : undefined
  if (options.endsConnection || lateClose !== undefined) headers.push('Connection', 'close')
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
  const finish = () => {
    if (hasTrailers && incoming.rawTrailers.length > 0) response.addTrailers(pairsOf(incoming.rawTrailers))
    if (lateClose === undefined) response.end()
    else waits.wait(request.socket, lateClose, () => response.end())
    // Without Content-Length, only the end shows that there was nothing to cut.
    const isSpared = broken !== undefined && faultName(broken) === 'truncate'
    end(undefined, isSpared && passing ? spare(passing) : passing)
  }
  const cut = () => {
    end(undefined)
    // Node 26 hands chunks to the socket in a later turn.
    setImmediate(() => connections.atTurn(response, () => closeGently(request.socket)))
  }
  passBody(incoming, { ...options, passing }, { finish, cut, breakOff })
}

interface Endings {
  readonly finish: () => void
  /** A rule ends the answer early. */
  readonly cut: () => void
  /** The service does. */
  readonly breakOff: () => void
}

function passBody(
  incoming: IncomingMessage,
  { request, response, record, passing, waits }: PassOptions,
  { finish, cut, breakOff }: Endings,
): void {
  const capture = (chunk: Uint8Array) => record.answerBody.add(chunk)
  incoming.on('error', () => {})
  // The service may have broken off during a delay.
  if (incoming.destroyed && !incoming.complete) {
    breakOff()
    return
  }
  const fault = passing?.fault
  if (fault !== undefined && breaksBody(fault) && hasBrokenBody(incoming, request.method ?? 'GET')) {
    response.flushHeaders()
    sendBroken(incoming, { response, fault, waits, capture }).then(
      isWhole => (isWhole ? finish() : cut()),
      breakOff,
    )
    return
  }
  incoming.on('data', capture).pipe(response, { end: false })
  incoming.once('end', finish)
  incoming.once('close', () => {
    if (!incoming.readableEnded && !response.destroyed) breakOff()
  })
  // An event stream may send its head long before its body. Usually the body is already here.
  setImmediate(() => {
    if (!response.writableEnded) response.flushHeaders()
  })
}

function breaksBody(fault: Fault): boolean {
  return faultTraits[faultName(fault)].breaksBody
}

/** The reason phrase, without characters that a status line cannot hold (RFC 9112, section 4). */
function reasonOf({ statusMessage = '' }: IncomingMessage): string {
  return statusMessage.replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
}
