import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import type { HostGuard } from '../../emulator/gates/host-guard.ts'
import { headerValue } from '../../service/call/headers.ts'
import { readTarget } from '../../service/call/target.ts'
import type { Forward, ForwardPassage } from '../server/http-door.ts'
import { hasBody, makeCall } from '../server/read-call.ts'
import { type Reason, type Refusal, replyWithoutCall, tellRefusal } from '../server/refusals.ts'
import { writeReply, writeReplyEarly } from '../server/write-reply.ts'
import type { Capture } from './captured-bodies.ts'
import { pairsOf, wantsUpgrade } from './message-headers.ts'
import { passAnswer } from './pass-answer.ts'
import type { Passage, PassedAnswer } from './proxied-call.ts'
import type { Upstream } from './upstream.ts'
import { explainFailure, failureReply } from './upstream-failure.ts'

export interface ForwardOptions {
  readonly upstream: Upstream
  readonly capture: () => Capture
  readonly checkHost: HostGuard
  /** Told of each call that has its answer, off its path. */
  readonly onPassage: (passage: Passage) => void
  /** A client went away before its answer was whole. */
  readonly onGivenUp: () => void
  readonly onRefusal: (refusal: Refusal) => void
}

/** Passes calls on to the upstream, and its answers back, piece by piece as they come: neither is changed or kept waiting. */
export function createForward(options: ForwardOptions): Forward {
  return (request, response, passage) => {
    const refusal = checkCall(request, options.checkHost)
    if (refusal === undefined) forward(request, response, passage, options)
    else {
      options.onRefusal(tellRefusal(refusal, request.socket))
      writeReplyEarly(request, response, replyWithoutCall(refusal))
    }
  }
}

function checkCall({ url = '/', rawHeaders }: IncomingMessage, checkHost: HostGuard): Reason | undefined {
  const host = checkHost(readTarget(url).authority ?? headerValue(rawHeaders, 'host'))
  if (host !== undefined) {
    const { message } = JSON.parse(host.body)
    return { code: host.code === 'host_not_allowed' ? host.code : 'bad_request', message }
  }
  if (!wantsUpgrade(rawHeaders)) return undefined
  const message = 'pet-mock proxy passes HTTP calls on, and no other protocol: this one cannot be upgraded.'
  return { code: 'bad_request', message }
}

/** Methods that may be sent again, if the first time came to nothing (RFC 9110, section 9.2.2). */
const idempotent: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE'])

function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { awaitsContinue, connections }: ForwardPassage,
  { upstream, capture, onPassage, onGivenUp }: ForwardOptions,
): void {
  const call = makeCall(request, undefined, Date.now())
  const { method, headers } = call
  const { path, query } = readTarget(call.target)
  const target = query === '' ? path : `${path}?${query}`
  const withBody = hasBody(request)
  const sentBody = capture()
  const answerBody = capture()
  let isOver = false
  let isToldToGoOn = !awaitsContinue

  const tell = (answer: Omit<PassedAnswer, 'body'>, answeredAt: number) => {
    if (isOver) return
    isOver = true
    setImmediate(() => {
      const requestBody = { bytes: sentBody.take(), size: sentBody.size() }
      const body = { bytes: answerBody.take(), size: answerBody.size() }
      release()
      onPassage({ call, requestBody, answer: { ...answer, body }, answeredAt })
    })
  }
  const release = () => {
    sentBody.release()
    answerBody.release()
  }
  const fail = (error: Error) => {
    if (isOver || response.headersSent || !request.socket.writable) return
    const failure = explainFailure(error, upstream.origin)
    const reply = failureReply(failure)
    answerBody.release()
    answerBody.add(Buffer.from(reply.body ?? ''))
    request.unpipe().resume()
    if (request.complete || !withBody) writeReply(response, reply)
    else writeReplyEarly(request, response, reply)
    tell(
      { status: reply.status, headers: Object.entries(reply.headers).flat(), fault: undefined, failure },
      Date.now(),
    )
  }

  const open = (isFresh: boolean): ClientRequest => {
    const sent = upstream.open({ method, path: target, headers }, isFresh)
    let fault: PassedAnswer['fault'] = 'truncate'
    let isAnswered = false
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // What is wrong after the head of an answer, its body tells of; this is how a reset differs from an end too early.
      if (isAnswered) fault = 'reset'
      else if (
        !isFresh &&
        sent.reusedSocket &&
        !withBody &&
        idempotent.has(method) &&
        isClosed(error) &&
        !isOver
      )
        sending = open(true)
      else fail(error)
    })
    sent.once('upgrade', (_response, socket) => {
      socket.destroy()
      fail(new Error('it changed the protocol, which nobody asked for'))
    })
    sent.on('information', ({ statusCode, rawHeaders }) => {
      if (request.httpVersion !== '1.1' || response.headersSent || response.destroyed) return
      if (statusCode === 102) response.writeProcessing()
      else if (statusCode === 103)
        response.writeEarlyHints(Object.fromEntries(pairsOf(rawHeaders).map(lowered)))
    })
    if (awaitsContinue)
      sent.once('continue', () => {
        if (response.headersSent || response.destroyed) return
        isToldToGoOn = true
        response.writeContinue()
      })
    sent.once('response', incoming => {
      isAnswered = true
      passAnswer(
        incoming,
        { request, response, connections, body: answerBody },
        {
          endsConnection: connections.closing || !(isToldToGoOn || sentBody.size() > 0),
          faultOf: () => fault,
          onFailure: error => {
            sent.destroy()
            fail(error)
          },
          onEnd: tell,
        },
      )
    })
    if (withBody) passBody(sent)
    else sent.end()
    return sent
  }
  const passBody = (sent: ClientRequest) => {
    sent.flushHeaders()
    request.on('data', chunk => sentBody.add(chunk)).pipe(sent, { end: false })
    request.once('end', () => {
      if (request.rawTrailers.length > 0) sent.addTrailers(pairsOf(request.rawTrailers))
      sent.end()
    })
    // An upstream that has answered may want no more of it: the client is let speak to its end.
    sent.once('close', () => {
      if (!request.readableEnded) request.unpipe(sent).resume()
    })
  }

  let sending: ClientRequest | undefined
  const abandon = () => sending?.destroy()
  response.once('close', () => {
    if (response.writableFinished) return
    abandon()
    if (isOver) return
    isOver = true
    release()
    onGivenUp()
  })
  request.on('error', abandon).once('close', () => {
    if (!request.complete) abandon()
  })
  try {
    sending = open(false)
  } catch (error) {
    fail(error instanceof Error ? error : new Error(String(error)))
  }
}

/** The upstream let go of a connection that was kept, just when it was used again. */
function isClosed({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ECONNRESET' || code === 'EPIPE'
}

function lowered([name, value]: [string, string]): [string, string] {
  return [name.toLowerCase(), value]
}
