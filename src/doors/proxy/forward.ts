import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import type { HostGuard } from '../../emulator/gates/host-guard.ts'
import type { Call } from '../../service/call/call.ts'
import { headerValue } from '../../service/call/headers.ts'
import type { Reason } from '../../service/call/problems.ts'
import { readTarget } from '../../service/call/target.ts'
import type { Forward, ForwardContext } from '../server/http-door.ts'
import { hasBody, makeCall } from '../server/read-call.ts'
import { type Refusal, refuseRequest } from '../server/refusals.ts'
import { writeReply, writeReplyEarly } from '../server/write-reply.ts'
import { type CallRecord, type ProxiedAnswer, type RecordOptions, recordCall } from './call-record.ts'
import { pairsOf, wantsUpgrade } from './message-headers.ts'
import { passAnswer } from './pass-answer.ts'
import { explainFailure, failureReply, type Upstream } from './upstream.ts'

interface ForwardOptions extends RecordOptions {
  readonly upstream: Upstream
  readonly checkHost: HostGuard
  readonly onRefusal: (refusal: Refusal) => void
}

/** Forwards calls to the upstream, and its answers to the client, unchanged and in pieces as they come. */
export function createForward(options: ForwardOptions): Forward {
  return (request, response, context) => {
    const refusal = checkRequest(request, options.checkHost)
    if (refusal === undefined) new ForwardedCall(request, response, context, options).start()
    else refuseRequest(request, response, refusal, options.onRefusal)
  }
}

function checkRequest({ url = '/', rawHeaders }: IncomingMessage, checkHost: HostGuard): Reason | undefined {
  const refusal = checkHost(readTarget(url).authority ?? headerValue(rawHeaders, 'host'))
  if (refusal !== undefined || !wantsUpgrade(rawHeaders)) return refusal
  return {
    code: 'bad_request',
    message: 'pet-mock proxy forwards HTTP only: it does not upgrade connections.',
  }
}

/** Methods that a proxy may send again after a connection failure (RFC 9110, section 9.2.2). */
const idempotent: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE'])

/** A call on its way to the upstream and back. */
class ForwardedCall {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #context: ForwardContext
  readonly #upstream: Upstream
  readonly #call: Call
  readonly #hasBody: boolean
  readonly #record: CallRecord
  #sending: ClientRequest | undefined
  #hasContinued = false

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    context: ForwardContext,
    options: ForwardOptions,
  ) {
    this.#request = request
    this.#response = response
    this.#context = context
    this.#upstream = options.upstream
    this.#call = makeCall(request, undefined, Date.now())
    this.#hasBody = hasBody(request)
    this.#record = recordCall(this.#call, options)
  }

  start(): void {
    const abandon = () => this.#sending?.destroy()
    this.#response.once('close', () => {
      if (this.#response.writableFinished) return
      abandon()
      this.#record.giveUp()
    })
    this.#request.on('error', abandon).once('close', () => {
      if (!this.#request.complete) abandon()
    })
    try {
      this.#send(false)
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #send(isFresh: boolean): void {
    const { method, target, headers } = this.#call
    const { path, query } = readTarget(target)
    const sent = this.#upstream.open(method, query === '' ? path : `${path}?${query}`, headers, isFresh)
    this.#sending = sent
    this.#passAnswerOf(sent, isFresh)
    if (this.#hasBody) this.#passBody(sent)
    else sent.end()
  }

  #passAnswerOf(sent: ClientRequest, isFresh: boolean): void {
    let fault: ProxiedAnswer['fault'] = 'truncate'
    let isAnswered = false
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // An error after the answer's head is a reset. Without an error, the body was truncated.
      if (isAnswered) fault = 'reset'
      else if (!isFresh && this.#mayRetry(sent, error)) this.#send(true)
      else this.#fail(error)
    })
    sent.once('upgrade', (_response, socket) => {
      socket.destroy()
      this.#fail(new Error('it switched protocols, which nobody requested'))
    })
    this.#passInterimAnswers(sent)
    sent.once('response', incoming => {
      isAnswered = true
      passAnswer(incoming, {
        request: this.#request,
        response: this.#response,
        connections: this.#context.connections,
        record: this.#record,
        endsConnection: this.#endsConnection(),
        faultOf: () => fault,
        onFailure: error => {
          sent.destroy()
          this.#fail(error)
        },
      })
    })
  }

  /** The upstream may close a kept connection just when it is used again. */
  #mayRetry(sent: ClientRequest, { code }: NodeJS.ErrnoException): boolean {
    const isClosed = code === 'ECONNRESET' || code === 'EPIPE'
    return (
      isClosed &&
      sent.reusedSocket &&
      !this.#hasBody &&
      idempotent.has(this.#call.method) &&
      !this.#record.isOver()
    )
  }

  #passInterimAnswers(sent: ClientRequest): void {
    const response = this.#response
    const isLate = () => response.headersSent || response.destroyed
    sent.on('information', ({ statusCode, rawHeaders }) => {
      if (this.#request.httpVersion !== '1.1' || isLate()) return
      if (statusCode === 102) response.writeProcessing()
      else if (statusCode === 103) {
        const hints = pairsOf(rawHeaders).map(([name, value]) => [name.toLowerCase(), value])
        response.writeEarlyHints(Object.fromEntries(hints))
      }
    })
    if (!this.#context.awaitsContinue) return
    sent.once('continue', () => {
      if (isLate()) return
      this.#hasContinued = true
      response.writeContinue()
    })
  }

  /** A client that still waits to send its body must not send another request on this connection. */
  #endsConnection(): boolean {
    const { connections, awaitsContinue } = this.#context
    return (
      connections.closing || (awaitsContinue && !this.#hasContinued && this.#record.requestBody.size() === 0)
    )
  }

  #passBody(sent: ClientRequest): void {
    const request = this.#request
    sent.flushHeaders()
    request.on('data', chunk => this.#record.requestBody.add(chunk)).pipe(sent, { end: false })
    request.once('end', () => {
      if (request.rawTrailers.length > 0) sent.addTrailers(pairsOf(request.rawTrailers))
      sent.end()
    })
    // An upstream that has answered may not read on. The client may still finish its request.
    sent.once('close', () => {
      if (!request.readableEnded) request.unpipe(sent).resume()
    })
  }

  /** Answers in the upstream's place. */
  #fail(error: Error): void {
    const request = this.#request
    if (this.#record.isOver() || this.#response.headersSent || !request.socket.writable) return
    const failure = explainFailure(error, this.#upstream.origin)
    const reply = failureReply(failure)
    this.#record.answerBody.take()
    this.#record.answerBody.add(Buffer.from(reply.body ?? ''))
    request.unpipe().resume()
    if (request.complete || !this.#hasBody) writeReply(this.#response, reply)
    else writeReplyEarly(request, this.#response, reply)
    const headers = Object.entries(reply.headers).flat()
    this.#record.end({ status: reply.status, headers, fault: undefined, failure }, Date.now())
  }
}
