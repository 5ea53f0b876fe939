import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** The open connections and the calls under way on each: headers read, reply not completely sent. */
export class Connections {
  /**
   * The last responses of each connection, in the order of their requests. `begin` drops those that are sent: a
   * listener for each one's end would slow every call down.
   */
  readonly #responses = new Map<Duplex, ServerResponse[]>()
  readonly #refused = new WeakSet<Duplex>()
  #closing = false

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#responses.set(socket, [])
      socket.once('close', () => this.#responses.delete(socket))
    })
  }

  get closing(): boolean {
    return this.#closing
  }

  begin(response: ServerResponse): void {
    const { socket } = response.req
    const responses = this.#responses.get(socket)
    if (responses === undefined) return
    while (responses[0] !== undefined && isSent(responses[0])) responses.shift()
    responses.push(response)
    if (this.#closing) this.#endAfter(response)
  }

  #underWay(socket: Duplex): ServerResponse[] {
    return (this.#responses.get(socket) ?? []).filter(response => !isSent(response))
  }

  /** Calls back for the last reply on a connection, which belongs to no call: after the replies of complete requests. */
  afterCalls(socket: Duplex, reply: () => void): void {
    // The parser reports every further packet, too.
    if (this.#refused.has(socket)) return
    this.#refused.add(socket)
    const last = this.#underWay(socket).findLast(({ req }) => req.complete)
    if (last === undefined) reply()
    else last.once('close', reply)
  }

  /** Calls back when the replies before this one are sent: replies go out in the order of the requests. */
  atTurn(response: ServerResponse, act: () => void): void {
    const underWay = this.#underWay(response.req.socket)
    const before = underWay[underWay.indexOf(response) - 1]
    if (before === undefined) act()
    // Inside the event, Node still holds the socket, and a reset would become a normal end.
    else before.once('close', () => setImmediate(act))
  }

  /** Whether the call being read on this connection already has its reply, because it is too large. */
  isAnswered(socket: Duplex): boolean {
    return this.#underWay(socket).some(({ req, headersSent }) => !req.complete && headersSent)
  }

  /** Ends every connection as soon as no call is under way on it. */
  close(): void {
    this.#closing = true
    for (const socket of this.#responses.keys()) {
      const last = this.#underWay(socket).at(-1)
      if (last === undefined) socket.destroy()
      else this.#endAfter(last)
    }
  }

  #endAfter(response: ServerResponse): void {
    const { socket } = response.req
    response.once('close', () => {
      if (this.#underWay(socket).length === 0) socket.destroySoon()
    })
  }

  destroy(): void {
    for (const socket of this.#responses.keys()) socket.destroy()
  }
}

function isSent(response: ServerResponse): boolean {
  return response.writableFinished || response.destroyed
}
