import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Call, LateHandle, Reply, Timing } from '../../service/call/call.ts'
import type { Connections } from './connections.ts'
import type { Line } from './line.ts'
import { makeCall } from './read-call.ts'
import { ownFailure, replyWithoutCall } from './refusals.ts'
import { type ReplyFaults, writeReply, writeReplyEarly } from './write-reply.ts'

/** Answers a request whose body has been read. */
export type AnswerRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  body: Call['body'],
  line: Line | undefined,
  /** The head is reason enough for the answer, so the body has not been read. */
  isUnread?: boolean,
) => void

interface AnswerOptions {
  readonly handle: LateHandle
  readonly connections: Connections
  readonly faults: ReplyFaults
  readonly onLatency: ((seconds: number) => void) | undefined
  readonly isTimed: () => boolean
  readonly onError: (error: unknown, call: Call) => void
}

/** Turns a request into a call, and writes the handler's reply. */
export function createAnswer(options: AnswerOptions): AnswerRequest {
  const { handle, connections, faults, onLatency, isTimed, onError } = options
  const write = (request: IncomingMessage, response: ServerResponse, isUnread: boolean, reply: Reply) => {
    if (isUnread) writeReplyEarly(request, response, reply)
    else writeReply(response, reply, connections.endsWith(response))
  }

  return (request, response, body, line, isUnread = body === 'too-large') => {
    // The client left or has its 408: a call that gets no reply must have no effect.
    if (!request.socket.writable) return
    const report = isTimed() ? onLatency : undefined
    const from = report === undefined ? 0 : performance.now()
    const timing: Timing | undefined = report && {}
    const call = makeCall(request, body, Date.now(), line?.connection, timing)
    const deliver = (reply: Reply) => {
      if (reply.delayMs === undefined && reply.fault === undefined) write(request, response, isUnread, reply)
      else faults.deliver(response, reply, late => write(request, response, isUnread, late))
      line?.dropSent()
      if (timing === undefined) return
      timing.ms = performance.now() - from + (reply.delayMs ?? 0)
      report?.(timing.ms / 1_000)
    }
    const fail = (error: unknown) => {
      if (!response.headersSent) write(request, response, isUnread, replyWithoutCall(ownFailure))
      onError(error, call)
    }
    try {
      const reply = handle(call)
      if (reply instanceof Promise) reply.then(deliver).catch(fail)
      else deliver(reply)
    } catch (error) {
      fail(error)
    }
  }
}
