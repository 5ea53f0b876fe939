import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import type { HostGuard } from '../../emulator/gates/api-address.ts'
import type { Call, Reply } from '../../service/call/call.ts'
import { headerValue } from '../../service/call/headers.ts'
import type { Reason } from '../../service/call/problems.ts'
import { readTarget } from '../../service/call/target.ts'
import type { Forward, ForwardContext } from '../server/http-door.ts'
import { hasBody, makeCall } from '../server/read-call.ts'
import { type Refusal, refuseRequest } from '../server/refusals.ts'
import { writeReply, writeReplyEarly } from '../server/write-reply.ts'
import { type CallRecord, type ProxiedAnswer, type RecordOptions, recordCall } from './call-record.ts'
import { createInjection, type InjectedPassing, type Injection } from './injection.ts'
import { passAnswer } from './pass-answer.ts'
import { type BodyHead, passRequestBody } from './pass-request-body.ts'
import { type ProxyAnswers, pairsOf, wantsUpgrade } from './proxy-answers.ts'
import type { ProxyRules } from './proxy-rules.ts'
import { explainFailure, failureReply, mayRetry, type Upstream } from './upstream.ts'

interface ForwardOptions extends RecordOptions {
  readonly upstream: Upstream
  /** Rules that change calls and answers. */
  readonly rules: ProxyRules | undefined
  /** What the proxy adds to answers; absent: nothing. */
  readonly answers?: ProxyAnswers
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

class ForwardedCall {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #context: ForwardContext
  readonly #options: ForwardOptions
  readonly #call: Call
  readonly #hasBody: boolean
  readonly #record: CallRecord
  #injection: Injection | undefined
  #head: BodyHead | undefined
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
    this.#options = options
    this.#call = makeCall(request, undefined, Date.now(), context.connections.of(request.socket))
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
    const { rules } = this.#options
    if (rules === undefined) this.#forward()
    else if (rules.readsBodies && this.#hasBody) this.#readHead(rules, () => this.#applyRules(rules))
    else this.#applyRules(rules)
  }

  #readHead(rules: ProxyRules, done: () => void): void {
    if (this.#context.awaitsContinue) this.#continue()
    rules.readHead(this.#request, this.#response, head => {
      this.#head = head
      done()
    })
  }

  #applyRules(rules: ProxyRules): void {
    const head = this.#head
    const outcome = rules.consult(head?.isWhole ? { ...this.#call, body: head.bytes } : this.#call)
    if (outcome === undefined) {
      this.#forward()
      return
    }
    const injection = createInjection(outcome, {
      request: this.#request,
      response: this.#response,
      faults: this.#context.faults,
      record: this.#record,
      write: reply => this.#write(reply),
    })
    this.#injection = injection
    const answer = () => {
      // The journal has the body of a call that the service never sees.
      if (this.#head !== undefined) this.#record.requestBody.add(this.#head.bytes)
      injection.onRequest(() => {})
    }
    if (!injection.answersRequest) injection.onRequest(() => this.#forward())
    else if (head === undefined && this.#hasBody) this.#readHead(rules, answer)
    else answer()
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
    const pathAndQuery = query === '' ? path : `${path}?${query}`
    const sent = this.#options.upstream.open(method, pathAndQuery, headers, isFresh)
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
          edit: headers => this.#options.answers?.edit(this.#call, headers) ?? headers,
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

  /** Passes 102 and 103 on. `100 Continue` goes to clients that wait for it. */
  #passInterimAnswers(sent: ClientRequest): void {
    const [request, response] = [this.#request, this.#response]
    sent.on('information', ({ statusCode, rawHeaders }) => {
      if (request.httpVersion !== '1.1' || response.headersSent || response.destroyed) return
      if (statusCode === 102) response.writeProcessing()
      else if (statusCode === 103) {
        const hints = pairsOf(rawHeaders).map(([name, value]) => [name.toLowerCase(), value])
        response.writeEarlyHints(Object.fromEntries(hints))
      }
    })
    if (!this.#context.awaitsContinue) return
    sent.once('continue', () => {
      if (!this.#hasContinued && !response.headersSent && !response.destroyed) this.#continue()
    })
  }

  #continue(): void {
    this.#hasContinued = true
    this.#response.writeContinue()
  }

  /** A client that still waits to send its body must not send another request on this connection. */
  #endsConnection(): boolean {
    const { connections, awaitsContinue } = this.#context
    return (
      connections.closing || (awaitsContinue && !this.#hasContinued && this.#record.requestBody.size() === 0)
    )
  }

  /** Writes an answer that the proxy or a rule makes. */
  #write(reply: Reply): void {
    const own = { ...reply, headers: { ...reply.headers, ...this.#options.answers?.own(this.#call) } }
    if (this.#request.complete || !this.#hasBody)
      writeReply(this.#response, own, this.#context.connections.closing)
    else writeReplyEarly(this.#request.resume(), this.#response, own)
  }

  /** Answers a preflight to a service without CORS. */
  #replacesPreflight(incoming: IncomingMessage): boolean {
    const reply = this.#options.answers?.preflight(this.#call, incoming.rawHeaders)
    if (reply === undefined) return false
    incoming.on('error', () => {}).destroy()
    this.#write(reply)
    this.#record.endOwn(reply)
    return true
  }

  #fail(error: Error): void {
    const { answers, upstream } = this.#options
    const request = this.#request
    if (this.#record.isOver() || this.#response.headersSent || !request.socket.writable) return
    const failure = explainFailure(error, upstream.origin)
    const reply = answers?.preflight(this.#call, undefined) ?? failureReply(failure)
    request.unpipe().resume()
    this.#write(reply)
    this.#record.endOwn(reply, { failure })
  }
}
