import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex, Readable } from 'node:stream'
import type { Reply } from '../../service/call/call.ts'
import { type Fault, type FaultName, faultName, planBody } from '../../service/call/fault.ts'
import type { Connections } from './connections.ts'
import { Waits } from './waits.ts'

/**
 * Milliseconds until a connection closes after its last reply: of silence, and in all. Closing at once would reset a
 * connection whose client still sends, and the client would lose the reply.
 */
const lingerMs = 1_000
const mostLingerMs = 5_000
/** Milliseconds that a client may go on sending a request that has its reply. */
const mostEarlyMs = 30_000

/** `isLast`: the connection closes after this reply. */
export function writeReply(response: ServerResponse, reply: Reply, isLast = false): void {
  response.writeHead(reply.status, isLast ? { ...reply.headers, Connection: 'close' } : reply.headers)
  if (reply.octets === undefined) response.end(reply.body)
  else response.end(reply.octets, 'latin1')
}

/** Answers a client that is still sending. The connection closes when the client stops or is silent for a moment. */
export function writeReplyEarly(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  response.writeHead(reply.status, { ...reply.headers, Connection: 'close' })
  if (reply.body !== undefined) response.write(reply.body)
  else response.flushHeaders()
  endGently(request, response)
}

/** Ends a reply when the client stops sending its request, or is silent for a moment. */
export function endGently(request: IncomingMessage, response: ServerResponse): void {
  const stop = () => {
    stopWaiting()
    response.end()
  }
  const stopWaiting = untilSilent(request, mostEarlyMs, stop)
  request.once('end', stop).once('close', stop)
}

/** Ends a connection so that a client that is still sending gets what was sent to it. */
export function closeGently(socket: Duplex): void {
  socket.end()
  socket
    .once(
      'close',
      untilSilent(socket, mostLingerMs, () => socket.destroy()),
    )
    .resume()
}

/** Calls back once nothing comes for a moment, or after `mostMs`. Returns a function that cancels. */
function untilSilent(stream: Readable, mostMs: number, act: () => void): () => void {
  const silence = setTimeout(act, lingerMs)
  const patience = setTimeout(act, mostMs)
  stream.on('data', () => silence.refresh())
  return () => {
    clearTimeout(silence)
    clearTimeout(patience)
  }
}

/** Writes a reply where Node has no response object, and ends the connection. */
export function writeReplyByHand(socket: Duplex, { status, headers, body = '' }: Reply): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.write([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
  closeGently(socket)
}

/** Writes a reply to a client that began with HTTP/2 (RFC 9113, section 3.3). `begins`: what it sent so far. */
export async function writeReplyOverHttp2(
  socket: Duplex,
  begins: Uint8Array,
  { status, headers, body }: Reply,
): Promise<void> {
  // Node's HTTP/1.1 parser would read it once more.
  socket.removeAllListeners('data').removeAllListeners('end').pause().unshift(begins)
  const { Connection: _connection, Date: _date, ...fields } = headers
  const { performServerHandshake } = await import('node:http2')
  const session = performServerHandshake(socket)
  session.setTimeout(lingerMs, () => socket.destroy())
  session
    .on('error', () => socket.destroy())
    .on('stream', stream => {
      stream.respond({ ':status': status, ...fields })
      stream.end(body)
      stream.session?.close()
    })
}

export type ReplyFaults = ReturnType<typeof createReplyFaults>

/** Sends replies late or broken. */
export function createReplyFaults(connections: Connections, onError: (error: unknown) => void) {
  const waits = new Waits()

  /** `write`: writes a reply unbroken. */
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

  return { deliver, waits }
}

interface Breaking {
  readonly response: ServerResponse
  readonly reply: Reply
  readonly fault: Fault
  readonly write: (reply: Reply) => void
  readonly waits: Waits
  readonly connections: Connections
}

/** Breaks a reply on the wire, when its turn comes. The core has already broken a `malformed` body. */
const breakers: Readonly<Record<FaultName, ((breaking: Breaking) => void) | undefined>> = {
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
