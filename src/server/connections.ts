import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** The open connections, and on each the calls under way: headers have come, the reply is not yet all out. */
export class Connections {
  readonly #calls = new Map<Duplex, Set<ServerResponse>>()
  readonly #refused = new WeakSet<Duplex>()
  #closing = false

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#calls.set(socket, new Set())
      socket.once('close', () => this.#calls.delete(socket))
    })
  }

  get closing(): boolean {
    return this.#closing
  }

  begin(response: ServerResponse): void {
    this.#calls.get(response.req.socket)?.add(response)
    response.once('close', () => this.#end(response))
  }

  #end(response: ServerResponse): void {
    const { socket } = response.req
    const calls = this.#calls.get(socket)
    calls?.delete(response)
    if (this.#closing && calls?.size === 0) socket.destroySoon()
  }

  /**
   * For the one reply that belongs to no call, the last on its connection: at once, or after those of the calls that
   * were read before, since replies go out in the order of the requests.
   */
  afterCalls(socket: Duplex, reply: () => void): void {
    // The parser complains anew of each packet that follows.
    if (this.#refused.has(socket)) return
    this.#refused.add(socket)
    const read = [...(this.#calls.get(socket) ?? [])].filter(response => response.req.complete)
    const last = read.at(-1)
    if (last === undefined) reply()
    else last.once('close', reply)
  }

  /** Whether the call that is being read on this connection has its reply already (it was too large). */
  isAnswered(socket: Duplex): boolean {
    return [...(this.#calls.get(socket) ?? [])].some(({ req, headersSent }) => !req.complete && headersSent)
  }

  /** Ends every connection as soon as no call is under way on it: most of them now. */
  close(): void {
    this.#closing = true
    for (const [socket, calls] of this.#calls) {
      if (calls.size === 0) socket.destroy()
    }
  }

  destroy(): void {
    for (const socket of this.#calls.keys()) socket.destroy()
  }
}
