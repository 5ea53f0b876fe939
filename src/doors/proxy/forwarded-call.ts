import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import { type Call, maxBody, type Reply } from '../../service/call/call.ts'
import { readTarget } from '../../service/call/target.ts'
import type { ForwardContext } from '../server/http-door.ts'
import { hasBody, makeCall } from '../server/read-call.ts'
import { applyRules } from './apply-proxy-rules.ts'
import { type CallRecord, type ProxiedAnswer, type RecordOptions, recordCall } from './call-record.ts'
import type { InjectedPassing, Injection } from './injection.ts'
import { passAnswer } from './pass-answer.ts'
import { passInterimAnswers } from './pass-interim-answers.ts'
import { type BodyHead, passRequestBody, readHead } from './pass-request-body.ts'
import type { ProxyAnswers } from './proxy-answers.ts'
import type { ProxyRules } from './proxy-rules.ts'
import { explainFailure, failureReply, mayRetry, type Upstream } from './upstream.ts'
import { writeOwn } from './write-own.ts'

export interface CallOptions extends RecordOptions {
  readonly upstream: Upstream
  /** Rules that change calls and answers. */
  readonly rules: ProxyRules | undefined
  /** What the proxy adds to answers; absent: nothing. */
  readonly answers?: ProxyAnswers
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
  readonly #answers: ProxyAnswers | undefined
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
    this.#answers = options.answers
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
      else if (!isFresh && !this.#hasBody && !this.#record.isOver() && mayRetry(sent, error)) this.#send(true)
      else this.#fail(error)
    })
    sent.once('upgrade', (_response, socket) => {
      socket.destroy()
      this.#fail(new Error('it switched protocols, which nobody requested'))
    })
    this.#passInterimAnswers(sent)
    sent.once('response', incoming => {
      isAnswered = true
      if (this.#replacesPreflight(incoming)) return
      const pass = (passing?: InjectedPassing) =>
        passAnswer(incoming, {
          passing,
          edit: headers => this.#answers?.edit(this.#call, headers) ?? headers,
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
    const headers = { ...reply.headers, ...this.#answers?.own(this.#call) }
    const how = { hasBody: this.#hasBody, isClosing: this.#context.connections.closing }
    writeOwn(this.#request, this.#response, how, { ...reply, headers })
  }

  /** Answers a preflight to a service without CORS. */
  #replacesPreflight(incoming: IncomingMessage): boolean {
    const reply = this.#answers?.preflight(this.#call, incoming.rawHeaders)
    if (reply === undefined) return false
    incoming.on('error', () => {}).destroy()
    this.#write(reply)
    this.#record.endOwn(reply, undefined, Date.now())
    return true
  }

  /** Answers in the upstream's place. */
  #fail(error: Error): void {
    const request = this.#request
    if (this.#record.isOver() || this.#response.headersSent || !request.socket.writable) return
    const failure = explainFailure(error, this.#upstream.origin)
    const reply = this.#answers?.preflight(this.#call, undefined) ?? failureReply(failure)
    request.unpipe().resume()
    this.#write(reply)
    this.#record.endOwn(reply, failure, Date.now())
  }
}
