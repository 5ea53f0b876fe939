import type { ServerResponse } from 'node:http'
import type { Reply } from '../../service/call/call.ts'
import { type Fault, firstHalf, slowPauseMs, slowPieces } from '../../service/call/fault.ts'
import type { Connections } from './connections.ts'
import { Waits } from './waits.ts'
import { closeGently } from './write-reply.ts'

/** Replies that come late or broken. */
export interface Troubles {
  /** `write`: writes a reply as it is. */
  readonly deliver: (response: ServerResponse, reply: Reply, write: (reply: Reply) => void) => void
  /** The door closes: what is held back goes out now, and what hangs is let go. */
  readonly hasten: () => void
}

export function createTroubles(connections: Connections, onError: (error: unknown) => void): Troubles {
  const waits = new Waits()

  const deliver: Troubles['deliver'] = (response, reply, write) => {
    const { socket } = response.req
    const guard = (act: () => void) => () => {
      try {
        // The client may have gone while its reply was held back.
        if (socket.writable) act()
      } catch (error) {
        socket.destroy()
        onError(error)
      }
    }
    const { delayMs = 0, fault } = reply
    const broken = fault === undefined ? undefined : breakers[fault]
    const act = broken === undefined ? () => write(reply) : () => broken(response, reply, write, waits)
    waits.wait(
      socket,
      delayMs,
      broken === undefined ? guard(act) : () => connections.atTurn(response, guard(act)),
    )
  }

  return { deliver, hasten: () => waits.hasten() }
}

type Breaker = (response: ServerResponse, reply: Reply, write: (reply: Reply) => void, waits: Waits) => void

/** What breaks on the wire, once it is the reply's turn. A `malformed` body has come so from the core. */
const breakers: Readonly<Record<Fault, Breaker | undefined>> = {
  reset: ({ req: { socket } }) => {
    socket.resetAndDestroy()
  },
  empty: ({ req: { socket } }) => closeGently(socket),
  truncate: (response, reply, write) => {
    const body = bytesOf(reply)
    if (body.length === 0) write(reply)
    else {
      response.writeHead(reply.status, reply.headers)
      response.flushHeaders()
      response.write(firstHalf(body), () => closeGently(response.req.socket))
    }
  },
  malformed: undefined,
  hang: ({ req: { socket } }, _reply, _write, waits) => {
    // A client that closes its side has given up: nothing more will come of either.
    if (socket.readableEnded) socket.destroy()
    socket.once('end', () => socket.destroy())
    waits.wait(socket, Number.POSITIVE_INFINITY, () => socket.destroy())
  },
  slow: (response, reply, write, waits) => {
    const body = bytesOf(reply)
    if (body.length === 0) write(reply)
    else {
      response.writeHead(reply.status, reply.headers)
      drip(response, body, waits)
    }
  },
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

/** Empty, where there is no body: an answer to HEAD, or one without content. */
function bytesOf({ body = '' }: Reply): Buffer {
  return Buffer.from(body)
}
