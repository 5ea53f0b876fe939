import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Reply } from '../../service/call/call.ts'
import { type Fault, firstHalf, slowPauseMs, slowPieces } from '../../service/call/fault.ts'
import type { Connections } from './connections.ts'
import { closeGently } from './write-reply.ts'

export type ReplyFaults = ReturnType<typeof createReplyFaults>

/** Sends replies late or broken. */
export function createReplyFaults(connections: Connections, onError: (error: unknown) => void) {
  const waits = new Waits()

  const deliver = (response: ServerResponse, reply: Reply, write: (reply: Reply) => void): void => {
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

  return {
    /** `write`: writes a reply unbroken. */
    deliver,
    /** Sends delayed replies now and releases hanging ones, because the door closes. */
    hasten: () => waits.hasten(),
  }
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

interface Wait {
  readonly timer: NodeJS.Timeout | undefined
  readonly end: () => void
}

/** Timers by connection. When a connection closes, its timers are dropped. */
class Waits {
  readonly #waits = new Map<Socket, Set<Wait>>()
  #isOver = false

  /** Calls back after `ms` (Infinity: only on `hasten`), or on `hasten`; never once the connection is closed. */
  wait(socket: Socket, ms: number, done: () => void): void {
    if (socket.destroyed) return
    if (this.#isOver || ms === 0) {
      done()
      return
    }
    const waits = this.#waitsOf(socket)
    const end = () => {
      clearTimeout(wait.timer)
      waits.delete(wait)
      done()
    }
    const wait: Wait = { timer: Number.isFinite(ms) ? setTimeout(end, ms) : undefined, end }
    waits.add(wait)
  }

  /** Ends every wait now, and every later one at once. */
  hasten(): void {
    this.#isOver = true
    for (const { end } of [...this.#waits.values()].flatMap(waits => [...waits])) end()
  }

  /** Adds one listener per connection, for any number of waits. */
  #waitsOf(socket: Socket): Set<Wait> {
    const known = this.#waits.get(socket)
    if (known !== undefined) return known
    const waits = new Set<Wait>()
    this.#waits.set(socket, waits)
    socket.once('close', () => {
      for (const { timer } of waits) clearTimeout(timer)
      this.#waits.delete(socket)
    })
    return waits
  }
}
