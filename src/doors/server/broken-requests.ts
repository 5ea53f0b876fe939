import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Reason } from '../../service/call/problems.ts'
import type { Connections } from './connections.ts'
import { explainHandshake } from './handshake.ts'
import {
  connectRefusal,
  defaultTimeouts,
  explainParserError,
  isNobody,
  type Refusal,
  replyWithoutCall,
  type Timeouts,
  toRefusal,
} from './refusals.ts'
import { writeReplyByHand } from './write-reply.ts'

/** Answers what Node's parser rejects, and CONNECT: there is no response object for either. */
export function refuseBrokenRequests(
  server: Server,
  {
    timeouts = defaultTimeouts,
    onRefusal,
  }: { readonly timeouts?: Timeouts; readonly onRefusal?: (refusal: Refusal) => void },
  connections: Connections,
): void {
  const refuse = (socket: Duplex, reason: Reason, isReported: boolean) =>
    connections.afterCalls(socket, () => {
      if (!socket.writable) return
      if (isReported) onRefusal?.(toRefusal(reason, socket))
      writeReplyByHand(socket, replyWithoutCall(reason))
    })
  server.on('connect', (_request, socket) => {
    // Node no longer handles errors of this socket.
    socket.on('error', () => socket.destroy())
    refuse(socket, connectRefusal, true)
  })
  server.on('clientError', (error, socket) => {
    if (connections.isHandshake(socket)) {
      if (!isNobody(error, socket)) onRefusal?.(toRefusal(explainHandshake(error), socket))
      socket.destroy()
      return
    }
    const end = () => {
      if (connections.isAnswered(socket)) socket.destroy()
      else refuse(socket, explainParserError(error, timeouts), !isNobody(error, socket))
    }
    if (Object(error).code === 'ERR_HTTP_REQUEST_TIMEOUT') connections.unlessCalled(socket, end)
    else end()
  })
}
