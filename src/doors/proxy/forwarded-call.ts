import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import { type Call, maxBody, type Reply } from '../../service/call/call.ts'
import { readTarget } from '../../service/call/target.ts'
import type { ForwardContext } from '../server/http-door.ts'
import { hasBody, makeCall } from '../server/read-call.ts'
import { writeReply, writeReplyEarly } from '../server/write-reply.ts'
import { applyRules } from './apply-proxy-rules.ts'
import { type CallRecord, type ProxiedAnswer, type RecordOptions, recordCall } from './call-record.ts'
import type { InjectedPassing, Injection } from './injection.ts'
import { passAnswer } from './pass-answer.ts'
import { passInterimAnswers } from './pass-interim-answers.ts'
import { type BodyHead, passRequestBody, readHead } from './pass-request-body.ts'
import type { ProxyRules } from './proxy-rules.ts'
import { explainFailure, failureReply, idempotent, type Upstream } from './upstream.ts'

export interface CallOptions extends RecordOptions {
  readonly upstream: Upstream
  /** Rules that change calls and answers. */
  readonly rules: ProxyRules | undefined
}

/** A call on its way to the upstream and back. */
export class ForwardedCall {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #context: ForwardContext
  readonly #upstream: Upstream
  readonly #call: Call
  readonly #hasBody: boolean
  readonly #record: CallRecord
  readonly #rules: ProxyRules | undefined
  #injection: Injection | undefined
  #head: BodyHead | undefined
  #sending: ClientRequest | undefined
  #hasContinued = false

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    context: ForwardContext,
    options: CallOptions,
  ) {
    this.#request = request
    this.#response = response
    this.#context = context
    this.#upstream = options.upstream
    this.#call = makeCall(request, undefined, Date.now(), context.connections.of(request.socket))
    this.#hasBody = hasBody(request)
    this.#record = recordCall(this.#call, options)
    this.#rules = options.rules
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
    if (this.#rules === undefined) this.#forward()
    else this.#applyRules(this.#rules)
  }

  #applyRules(rules: ProxyRules): void {
    const readBody = (done: (head: BodyHead) => void) => {
      if (this.#context.awaitsContinue) {
        this.#hasContinued = true
        this.#response.writeContinue()
      }
      readHead(this.#request, maxBody, head => {
        this.#head = head
        done(head)
      })
    }
    applyRules(rules, {
      call: this.#call,
      request: this.#request,
      response: this.#response,
      faults: this.#context.faults,
      record: this.#record,
      readBody: this.#hasBody ? readBody : undefined,
      write: reply => this.#write(reply),
      forward: injection => {
        this.#injection = injection
        this.#forward()
      },
    })
  }

  #forward(): void {
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
    if (this.#hasBody) passRequestBody(this.#request, sent, this.#head, this.#record)
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
      const pass = (passing?: InjectedPassing) =>
        passAnswer(incoming, {
          passing,
          waits: this.#context.faults.waits,
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
      if (this.#injection === undefined) pass()
      else this.#injection.onAnswer(incoming, pass)
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
    passInterimAnswers(sent, this.#request, this.#response)
    if (!this.#context.awaitsContinue) return
    sent.once('continue', () => {
      if (this.#hasContinued || this.#response.headersSent || this.#response.destroyed) return
      this.#hasContinued = true
      this.#response.writeContinue()
    })
  }

  /** A client that still waits to send its body must not send another request on this connection. */
  #endsConnection(): boolean {
    const { connections, awaitsContinue } = this.#context
    return (
      connections.closing || (awaitsContinue && !this.#hasContinued && this.#record.requestBody.size() === 0)
    )
  }

  #write(reply: Reply): void {
    const request = this.#request
    const isRead = request.complete || !this.#hasBody
    if (!isRead) writeReplyEarly(request.resume(), this.#response, reply)
    else if (!this.#context.connections.closing) writeReply(this.#response, reply)
    else writeReply(this.#response, { ...reply, headers: { ...reply.headers, Connection: 'close' } })
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
    this.#write(reply)
    const headers = Object.entries(reply.headers).flat()
    this.#record.end({ status: reply.status, headers, fault: undefined, failure }, Date.now())
  }
}
