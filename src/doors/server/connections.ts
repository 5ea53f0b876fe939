import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** The open connections, and on each the calls under way: headers have come, the reply is not yet all out. */
export class Connections {
  /**
   * The last responses of each connection, in the order of their requests. Those that are out are dropped when the
   * next one begins: to listen for each one's end would cost every call more than all else that is done here.
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
    while (responses[0] !== undefined && isOut(responses[0])) responses.shift()
    responses.push(response)
    if (this.#closing) this.#endAfter(response)
  }

  #underWay(socket: Duplex): ServerResponse[] {
    return (this.#responses.get(socket) ?? []).filter(response => !isOut(response))
  }

  /**
   * For the one reply that belongs to no call, the last on its connection: at once, or after those of the calls that
   * were read before, since replies go out in the order of the requests.
   */
  afterCalls(socket: Duplex, reply: () => void): void {
    // The parser complains anew of each packet that follows.
    if (this.#refused.has(socket)) return
    this.#refused.add(socket)
    const last = this.#underWay(socket).findLast(({ req }) => req.complete)
    if (last === undefined) reply()
    else last.once('close', reply)
  }

  /** Calls back when the replies before this one are out: replies go out in the order of the requests. */
  atTurn(response: ServerResponse, act: () => void): void {
    const underWay = this.#underWay(response.req.socket)
    const before = underWay[underWay.indexOf(response) - 1]
    if (before === undefined) act()
    // Not in the event itself, where Node still holds the socket back: a reset would be a proper end.
    else before.once('close', () => setImmediate(act))
  }

  /** Whether the call that is being read on this connection has its reply already (it was too large). */
  isAnswered(socket: Duplex): boolean {
    return this.#underWay(socket).some(({ req, headersSent }) => !req.complete && headersSent)
  }

  /** Ends every connection as soon as no call is under way on it: most of them now. */
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

function isOut(response: ServerResponse): boolean {
  return response.writableFinished || response.destroyed
}
