import type { ClientRequest, IncomingMessage } from 'node:http'
import type { HostGuard } from '../../emulator/gates/api-address.ts'
import type { Reply } from '../../service/call/call.ts'
import { headerValue, pairsOf } from '../../service/call/headers.ts'
import type { Reason } from '../../service/call/problems.ts'
import { readTarget } from '../../service/call/target.ts'
import type { Forward } from '../server/http-door.ts'
import { hasBody, makeCall } from '../server/read-call.ts'
import { type Refusal, refuseRequest } from '../server/refusals.ts'
import { writeReply, writeReplyEarly } from '../server/write-reply.ts'
import { type ProxiedAnswer, type RecordOptions, recordCall } from './call-record.ts'
import { createInjection, type InjectedPassing, type Injection } from './injection.ts'
import { passAnswer } from './pass-answer.ts'
import { type BodyHead, passRequestBody } from './pass-request-body.ts'
import { type ProxyAnswers, wantsUpgrade } from './proxy-answers.ts'
import type { ProxyRules } from './proxy-rules.ts'
import { explainFailure, failureReply, mayRetry, type Upstream } from './upstream.ts'

interface ForwardOptions extends RecordOptions {
  readonly upstream: Upstream
  readonly rules: ProxyRules | undefined
  /** What the proxy adds to answers; absent: nothing. */
  readonly answers?: ProxyAnswers
  readonly checkHost: HostGuard
  readonly onRefusal: (refusal: Refusal) => void
}

/** Forwards calls to the upstream, and its answers to the client, unchanged and in pieces as they come. */
export function createForward(options: ForwardOptions): Forward {
  return (...call) => {
    const [request, response] = call
    const refusal = checkRequest(request, options.checkHost)
    if (refusal === undefined) forward(options, ...call)
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

function forward(options: ForwardOptions, ...[request, response, context]: Parameters<Forward>) {
  const { upstream, rules, answers } = options
  const { connections, faults, awaitsContinue } = context
  const call = makeCall(request, undefined, Date.now(), connections.of(request.socket))
  const isWithBody = hasBody(request)
  const record = recordCall(call, options)
  let injection: Injection | undefined
  let head: BodyHead | undefined
  let sending: ClientRequest | undefined
  let hasContinued = false

  const readHead = ({ readHead: read }: ProxyRules, done: () => void) => {
    if (awaitsContinue) letContinue()
    read(request, response, begun => {
      head = begun
      done()
    })
  }

  const applyRules = (rules: ProxyRules) => {
    const outcome = rules.consult(head?.isWhole ? { ...call, body: head.bytes } : call)
    if (outcome === undefined) {
      sendFirst()
      return
    }
    const injected = createInjection(outcome, { request, response, faults, record, write })
    injection = injected
    const answer = () => {
      // The journal has the body of a call that the service never sees.
      if (head !== undefined) record.requestBody.add(head.bytes)
      injected.answerRequest()
    }
    if (!injected.answersRequest) injected.delayRequest(sendFirst)
    else if (head === undefined && isWithBody) readHead(rules, answer)
    else answer()
  }

  const sendFirst = () => {
    try {
      send(false)
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)))
    }
  }

  const send = (isFresh: boolean) => {
    const { path, query } = readTarget(call.target)
    const pathAndQuery = query === '' ? path : `${path}?${query}`
    const sent = upstream.open(call.method, pathAndQuery, call.headers, isFresh)
    sending = sent
    passAnswerOf(sent, isFresh)
    if (isWithBody) passRequestBody(request, sent, head, record)
    else sent.end()
  }

  const passAnswerOf = (sent: ClientRequest, isFresh: boolean) => {
    let fault: ProxiedAnswer['fault'] = 'truncate'
    let isAnswered = false
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // An error after the answer's head is a reset. Without an error, the body was truncated.
      if (isAnswered) fault = 'reset'
      else if (!isFresh && !isWithBody && !record.isOver() && mayRetry(sent, error)) send(true)
      else fail(error)
    })
    sent.once('upgrade', (_response, socket) => {
      socket.destroy()
      fail(new Error('it switched protocols, which nobody requested'))
    })
    passInterimAnswers(sent)
    sent.once('response', incoming => {
      isAnswered = true
      if (replacesPreflight(incoming)) return
      const pass = (passing?: InjectedPassing) =>
        passAnswer(incoming, {
          passing,
          edit: headers => answers?.edit(call, headers) ?? headers,
          waits: faults.waits,
          request,
          response,
          connections,
          record,
          endsConnection: endsConnection(),
          faultOf: () => fault,
          onFailure: error => {
            sent.destroy()
            fail(error)
          },
        })
      if (injection === undefined) pass()
      else injection.onAnswer(incoming, pass)
    })
  }

  /** Passes 102 and 103 on. `100 Continue` goes to clients that wait for it. */
  const passInterimAnswers = (sent: ClientRequest) => {
    sent.on('information', ({ statusCode, rawHeaders }) => {
      if (request.httpVersion !== '1.1' || response.headersSent || response.destroyed) return
      if (statusCode === 102) response.writeProcessing()
      else if (statusCode === 103) {
        const hints = pairsOf(rawHeaders).map(([name, value]) => [name.toLowerCase(), value])
        response.writeEarlyHints(Object.fromEntries(hints))
      }
    })
    if (!awaitsContinue) return
    sent.once('continue', () => {
      if (!hasContinued && !response.headersSent && !response.destroyed) letContinue()
    })
  }

  const letContinue = () => {
    hasContinued = true
    response.writeContinue()
  }

  /** A client that still waits to send its body must not send another request on this connection. */
  const endsConnection = () =>
    connections.closing || (awaitsContinue && !hasContinued && record.requestBody.size() === 0)

  const write = (reply: Reply) => {
    const own = { ...reply, headers: { ...reply.headers, ...answers?.own(call) } }
    if (request.complete || !isWithBody) writeReply(response, own, connections.closing)
    else writeReplyEarly(request.resume(), response, own)
  }

  /** Answers a preflight to a service without CORS. */
  const replacesPreflight = (incoming: IncomingMessage): boolean => {
    const reply = answers?.preflight(call, incoming.rawHeaders)
    if (reply === undefined) return false
    incoming.on('error', () => {}).destroy()
    write(reply)
    record.endOwn(reply)
    return true
  }

  const fail = (error: Error) => {
    if (record.isOver() || response.headersSent || !request.socket.writable) return
    const failure = explainFailure(error, upstream.origin)
    const reply = answers?.preflight(call, undefined) ?? failureReply(failure)
    request.unpipe().resume()
    write(reply)
    record.endOwn(reply, { failure })
  }

  const abandon = () => sending?.destroy()
  response.once('close', () => {
    if (response.writableFinished) return
    abandon()
    record.giveUp()
  })
  request.on('error', abandon).once('close', () => {
    if (!request.complete) abandon()
  })
  if (rules === undefined) sendFirst()
  else if (rules.readsBodies && isWithBody) readHead(rules, () => applyRules(rules))
  else applyRules(rules)
}
