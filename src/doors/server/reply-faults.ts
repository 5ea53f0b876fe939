import type { ServerResponse } from 'node:http'
import type { Reply } from '../../service/call/call.ts'
import { type Fault, firstHalf, slowPauseMs, slowPieces } from '../../service/call/fault.ts'
import type { Connections } from './connections.ts'
import { Waits } from './waits.ts'
import { closeGently } from './write-reply.ts'

/** Sends replies late or broken. */
export interface ReplyFaults {
  /** `write`: writes a reply unbroken. */
  readonly deliver: (response: ServerResponse, reply: Reply, write: (reply: Reply) => void) => void
  /** Sends delayed replies now and releases hanging ones, because the door closes. */
  readonly hasten: () => void
}

export function createReplyFaults(connections: Connections, onError: (error: unknown) => void): ReplyFaults {
  const waits = new Waits()

  const deliver: ReplyFaults['deliver'] = (response, reply, write) => {
    const { socket } = response.req
    const { delayMs = 0, fault } = reply
    const breakReply = fault && breakers[fault]
    const act = () => {
      try {
        // The client may have left during the delay.
        if (!socket.writable) return
        if (breakReply === undefined) write(reply)
        else breakReply(response, reply, write, waits)
      } catch (error) {
        socket.destroy()
        onError(error)
      }
    }
    waits.wait(socket, delayMs, breakReply === undefined ? act : () => connections.atTurn(response, act))
  }

  return { deliver, hasten: () => waits.hasten() }
}

type Breaker = (response: ServerResponse, reply: Reply, write: (reply: Reply) => void, waits: Waits) => void

/** Breaks a reply on the wire, when its turn comes. The core has already broken a `malformed` body. */
const breakers: Readonly<Record<Fault, Breaker | undefined>> = {
  reset: ({ req: { socket } }) => {
    socket.resetAndDestroy()
  },
  empty: ({ req: { socket } }) => closeGently(socket),
  truncate: withBody((response, body) => {
    response.flushHeaders()
    response.write(firstHalf(body), () => closeGently(response.req.socket))
  }),
  malformed: undefined,
  hang: ({ req: { socket } }, _reply, _write, waits) => {
    // A client that closes its side has given up.
    if (socket.readableEnded) socket.destroy()
    socket.once('end', () => socket.destroy())
    waits.wait(socket, Number.POSITIVE_INFINITY, () => socket.destroy())
  },
  slow: withBody(drip),
}

/** Breaks the body of a reply. A reply without a body, as to HEAD, goes out unbroken. */
function withBody(send: (response: ServerResponse, body: Buffer, waits: Waits) => void): Breaker {
  return (response, reply, write, waits) => {
    if (!reply.body) write(reply)
    else {
      response.writeHead(reply.status, reply.headers)
      send(response, Buffer.from(reply.body), waits)
    }
  }
}

function drip(response: ServerResponse, body: Buffer, waits: Waits): void {
  const pieces = slowPieces(body)
  const next = (index: number) => {
    const piece = pieces[index]
    if (index === pieces.length - 1) response.end(piece)
    else {
      response.write(piece)
      waits.wait(response.req.socket, slowPauseMs, () => next(index + 1))
    }
  }
  next(0)
}
