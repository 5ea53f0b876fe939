import type { IncomingMessage, ServerResponse } from 'node:http'
import { breaksNothing, type Fault, faultName, faultTraits, planBody } from '../../service/call/fault.ts'
import { headerValue, pairsOf } from '../../service/call/headers.ts'
import type { Connections } from '../server/connections.ts'
import type { Waits } from '../server/waits.ts'
import { closeGently } from '../server/write-reply.ts'
import type { CallRecord, ProxiedAnswer } from './call-record.ts'
import type { InjectedPassing } from './injection.ts'
import { headersDownstream } from './proxy-answers.ts'

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
  const { statusCode: status = 502, statusMessage = '', rawHeaders } = incoming
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
    // Without characters that a status line cannot hold (RFC 9112, section 4).
    response.writeHead(status, statusMessage.replace(/[^\t\x20-\x7e\x80-\xff]/g, ''), headers)
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

/** `cut`: a rule ends the answer early. `breakOff`: the service does. */
function passBody(
  incoming: IncomingMessage,
  { request, response, record, passing, waits }: PassOptions,
  { finish, cut, breakOff }: Readonly<Record<'finish' | 'cut' | 'breakOff', () => void>>,
): void {
  const capture = (chunk: Uint8Array) => record.answerBody.add(chunk)
  incoming.on('error', () => {})
  // The service may have broken off during a delay.
  if (incoming.destroyed && !incoming.complete) {
    breakOff()
    return
  }
  const fault = passing?.fault
  const breaksBody = fault !== undefined && faultTraits[faultName(fault)].breaksBody
  if (breaksBody && hasBrokenBody(incoming, request.method ?? 'GET')) {
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

interface BreakOptions extends Pick<PassOptions, 'response' | 'waits'> {
  readonly fault: Fault
  readonly capture: (chunk: Uint8Array) => void
}

/** Whether an answer has a body that a fault can break. */
function hasBrokenBody({ statusCode, rawHeaders }: IncomingMessage, method: string): boolean {
  const isEmpty = statusCode === 204 || statusCode === 304 || lengthOf(rawHeaders) === 0
  return method !== 'HEAD' && !isEmpty
}

/** The rule's fault is not one if the answer's head shows that there is nothing to cut. */
function spareShort(passing: InjectedPassing, incoming: IncomingMessage, method: string) {
  const length = hasBrokenBody(incoming, method) ? lengthOf(incoming.rawHeaders) : 0
  const { fault } = passing
  return fault !== undefined && length !== undefined && breaksNothing(fault, length)
    ? spare(passing)
    : passing
}

/** The same without its fault, which broke nothing. */
function spare({ injected, fault }: InjectedPassing): InjectedPassing {
  return { injected: { ...injected, fault: undefined, spared: fault }, mark: undefined, fault: undefined }
}

/** Passes a body as its fault says. Resolves with whether it is whole. Rejects if the service breaks off. */
async function sendBroken(incoming: IncomingMessage, { response, fault, waits, capture }: BreakOptions) {
  const source = captured(incoming, capture)
  const first = await measure(source, fault, lengthOf(incoming.rawHeaders))
  const body = faultName(fault) === 'malformed' ? malformed(first.body) : first.body
  const { piece, pauseMs, bytes: planned } = planBody(fault, first.length)
  // The measured length may be a part of it.
  const bytes = faultName(fault) === 'truncate' ? planned : Number.POSITIVE_INFINITY
  const pause = () => new Promise<void>(resolve => waits.wait(response.req.socket, pauseMs, () => resolve()))
  let sent = 0
  let inPiece = 0
  for await (const chunk of body) {
    let from = 0
    while (from < chunk.length && sent < bytes) {
      if (inPiece >= piece && pauseMs > 0) {
        await pause()
        inPiece = 0
      }
      const most = pauseMs === 0 || waits.isOver ? chunk.length : piece - inPiece
      const part = chunk.subarray(from, from + Math.min(most, bytes - sent))
      await write(response, part)
      from += part.length
      sent += part.length
      inPiece += part.length
    }
    // Leaving the loop ends the service's answer.
    if (from < chunk.length) return false
  }
  return true
}

/** Waits while the client does not read. A client that leaves ends the wait, and its call. */
async function write(response: ServerResponse, part: Uint8Array): Promise<void> {
  if (response.write(part) || response.destroyed) return
  await new Promise<void>(resolve => {
    const go = () => {
      response.off('drain', go).off('close', go)
      resolve()
    }
    response.on('drain', go).on('close', go)
  })
}

async function* captured(incoming: IncomingMessage, capture: (chunk: Uint8Array) => void) {
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    capture(chunk)
    yield chunk
  }
}

/** Bytes to read of a body without Content-Length, to know what half or a tenth of it is. */
const mostMeasured = 65_536

/** The length of a body, and the body. Without Content-Length, a plain word needs the beginning of the body for that. */
async function measure(source: AsyncGenerator<Uint8Array>, fault: Fault, announced: number | undefined) {
  const isMeasured = announced === undefined && (fault === 'truncate' || fault === 'slow')
  if (!isMeasured) return { length: announced ?? Number.POSITIVE_INFINITY, body: source }
  const begin: Uint8Array[] = []
  let length = 0
  while (length < mostMeasured) {
    const next = await source.next()
    if (next.done) break
    begin.push(next.value)
    length += next.value.length
  }
  return { length, body: joined(begin, source) }
}

async function* joined(begin: readonly Uint8Array[], rest: AsyncGenerator<Uint8Array>) {
  yield* begin
  yield* rest
}

/** Replaces the last byte by a comma: no JSON ends with one. */
async function* malformed(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let last: Uint8Array | undefined
  for await (const chunk of body) {
    if (last !== undefined) yield last
    last = chunk
  }
  if (last === undefined) return
  yield last.subarray(0, -1)
  yield new TextEncoder().encode(',')
}

function lengthOf(headers: readonly string[]): number | undefined {
  const length = headerValue(headers, 'content-length')
  return typeof length === 'string' && /^\d+$/.test(length) ? Number(length) : undefined
}
