import type { ServerResponse } from 'node:http'
import { planBody } from '../../service/call/break-body.ts'
import type { Reply } from '../../service/call/call.ts'
import { type Fault, type FaultName, faultName } from '../../service/call/fault.ts'
import type { Connections } from './connections.ts'
import { Waits } from './waits.ts'
import { closeGently } from './write-reply.ts'

export type ReplyFaults = ReturnType<typeof createReplyFaults>

/** Sends replies late or broken. */
export function createReplyFaults(connections: Connections, onError: (error: unknown) => void) {
  const waits = new Waits()

  const deliver = (response: ServerResponse, reply: Reply, write: (reply: Reply) => void): void => {
    const { socket } = response.req
    const { delayMs = 0, fault } = reply
    const breakReply = fault && breakers[faultName(fault)]
    const act = () => {
      try {
        // The client may have left during the delay.
        if (!socket.writable) return
        if (fault === undefined || breakReply === undefined) write(reply)
        else breakReply({ response, reply, fault, write, waits, connections })
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
    waits,
    /** Sends delayed replies now and releases hanging ones, because the door closes. */
    hasten: () => waits.hasten(),
  }
}

interface Breaking {
  readonly response: ServerResponse
  readonly reply: Reply
  readonly fault: Fault
  /** Writes the reply unbroken. */
  readonly write: (reply: Reply) => void
  readonly waits: Waits
  readonly connections: Connections
}

type Breaker = (breaking: Breaking) => void

/** Breaks a reply on the wire, when its turn comes. The core has already broken a `malformed` body. */
const breakers: Readonly<Record<FaultName, Breaker | undefined>> = {
  reset: ({ response, connections }) => connections.reset(response.req.socket),
  empty: ({ response }) => closeGently(response.req.socket),
  truncate: ({ response, ...breaking }) =>
    sendBroken({ response, ...breaking }, last => {
      response.flushHeaders()
      if (last.length > 0) response.write(last)
      closeGently(response.req.socket)
    }),
  malformed: undefined,
  hang: ({ response, fault, waits }) => {
    const { socket } = response.req
    // A client that closes its side has given up.
    if (socket.readableEnded) socket.destroy()
    socket.once('end', () => socket.destroy())
    if (typeof fault === 'object' && 'hang' in fault)
      waits.wait(socket, fault.hang.for, () => closeGently(socket))
    else waits.wait(socket, Number.POSITIVE_INFINITY, () => socket.destroy())
  },
  slow: ({ response, ...breaking }) => sendBroken({ response, ...breaking }, last => response.end(last)),
  'slow-close': ({ response, reply, fault, waits }) => {
    response.writeHead(reply.status, { ...reply.headers, Connection: 'close' })
    if (reply.body) response.write(reply.body)
    else response.flushHeaders()
    const ms = typeof fault === 'object' && 'slow-close' in fault ? fault['slow-close'] : 0
    waits.wait(response.req.socket, ms, () => response.end())
  },
}

/** Sends a body as its fault says. A reply without a body, as to HEAD, goes out unbroken. */
function sendBroken({ response, reply, fault, write, waits }: Breaking, end: (last: Buffer) => void): void {
  if (!reply.body) {
    write(reply)
    return
  }
  response.writeHead(reply.status, reply.headers)
  const body = Buffer.from(reply.body)
  const { bytes, piece, pauseMs } = planBody(fault, body.length)
  const sendFrom = (from: number) => {
    // When the server stops, the rest goes out at once.
    const to = waits.isOver ? bytes : Math.min(bytes, from + piece)
    if (to === bytes) end(body.subarray(from, to))
    else {
      response.write(body.subarray(from, to))
      waits.wait(response.req.socket, pauseMs, () => sendFrom(to))
    }
  }
  sendFrom(0)
}
