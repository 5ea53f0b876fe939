import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Connection } from '../../service/call/call.ts'
import { RawSockets } from './handshake.ts'
import { Line } from './line.ts'

/** Calls under way on a connection until others get their turn before more of it is read. */
const mostInTurn = 100

/** The open connections and the calls under way on each: headers read, reply not completely sent. */
export class Connections {
  readonly #lines = new Map<Duplex, Line>()
  readonly #refused = new WeakSet<Duplex>()
  readonly #raw: RawSockets | undefined
  closing = false

  /** `onLost`: a client left while its request was read, or before its reply was sent. */
  constructor(server: Server, isTls: boolean, onLost?: (request: IncomingMessage) => void) {
    const raw = isTls ? new RawSockets() : undefined
    if (raw !== undefined) server.on('connection', (socket: Socket) => raw.add(socket))
    this.#raw = raw
    server.on(isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
      raw?.secure(socket)
      const line = new Line()
      this.#lines.set(socket, line)
      socket.once('end', () => line.close())
      socket.once('close', () => {
        const { last } = line
        // After an own fault neither holds. The parser answers the end of a part of a request.
        const hasLeft = socket.errored || (socket.readableEnded && last?.req.complete)
        if (last !== undefined && hasLeft) onLost?.(last.req)
        line.close()
        this.#lines.delete(socket)
      })
    })
  }

  of(socket: Duplex): Connection | undefined {
    return this.#lines.get(socket)?.connection
  }

  /** Whether TLS is not yet agreed on. */
  isHandshake(socket: Duplex): boolean {
    return this.#raw !== undefined && !this.#lines.has(socket)
  }

  /**
   * Calls back unless a whole call is read in the next turn. After a pause of the process, such as for thousands of new
   * connections, Node looks at its timeouts before it reads what has arrived.
   */
  unlessCalled(socket: Duplex, act: () => void): void {
    const line = this.#lines.get(socket)
    const before = line?.calls
    setImmediate(() => {
      const isCalled = line !== undefined && line.calls !== before && line.last?.req.complete !== false
      if (!isCalled) act()
    })
  }

  /** The TCP connection below TLS. */
  below(socket: Duplex): Socket | undefined {
    return this.#raw?.below(socket)
  }

  reset(socket: Socket): void {
    const raw = this.below(socket) ?? socket
    raw.resetAndDestroy()
  }

  /** Returns the line of the connection, unless that is gone. */
  begin(response: ServerResponse): Line | undefined {
    const { socket } = response.req
    const line = this.#lines.get(socket)
    if (line === undefined) return undefined
    if (line.add(response) > mostInTurn && !socket.isPaused()) {
      socket.pause()
      setImmediate(() => socket.resume())
    }
    if (this.closing) this.#endAfter(response)
    return line
  }

  /** Whether this is the last reply of a connection that closes. */
  endsWith(response: ServerResponse): boolean {
    return this.closing && this.#lines.get(response.req.socket)?.last === response
  }

  /** Calls back for the last reply on a connection, which belongs to no call: after the replies of complete requests. */
  afterCalls(socket: Duplex, reply: () => void): void {
    // The parser reports every further packet, too.
    if (this.#refused.has(socket)) return
    this.#refused.add(socket)
    const line = this.#lines.get(socket)
    const last = line?.last?.req.complete === false ? line.before(line.last) : line?.last
    if (last === undefined) reply()
    // Node may end the connection after this event. Nothing follows a reply that announced the end.
    else if (last.shouldKeepAlive) last.prependOnceListener('finish', () => this.closing || reply())
  }

  /** Calls back when the replies before this one are sent: replies go out in the order of the requests. */
  atTurn(response: ServerResponse, act: () => void): void {
    const before = this.#lines.get(response.req.socket)?.before(response)
    if (before === undefined) act()
    // Inside the event, Node still holds the socket, and a reset would become a normal end.
    else before.once('close', () => setImmediate(act))
  }

  /** Whether the call being read on this connection already has its reply, because it is too large. */
  isAnswered(socket: Duplex): boolean {
    const last = this.#lines.get(socket)?.last
    return last !== undefined && !last.req.complete && last.headersSent
  }

  /** Ends every connection as soon as no call is under way on it. Calls that the system holds are read before. */
  async close(): Promise<void> {
    this.closing = true
    this.#raw?.close()
    for (const { last } of this.#lines.values()) if (last !== undefined) this.#endAfter(last)
    // Under load, most calls wait in the system. A whole turn reads them.
    await nextTurn()
    await nextTurn()
    for (const [socket, { last }] of this.#lines) if (last === undefined) socket.destroy()
  }

  #endAfter(response: ServerResponse): void {
    const { socket } = response.req
    response.once('close', () => {
      if (this.#lines.get(socket)?.last === undefined) socket.destroySoon()
    })
  }

  destroy(): void {
    for (const socket of this.#lines.keys()) socket.destroy()
  }
}
