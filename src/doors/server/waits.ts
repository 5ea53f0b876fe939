import type { Socket } from 'node:net'

interface Wait {
  readonly timer: NodeJS.Timeout | undefined
  readonly end: () => void
}

/** What is held back for a time on a connection: nothing is left of it when the connection is gone. */
export class Waits {
  readonly #waits = new Map<Socket, Set<Wait>>()
  #over = false

  /** Calls back after `ms` (Infinity: not by itself), or when `hasten` is called; never once the connection is gone. */
  wait(socket: Socket, ms: number, done: () => void): void {
    if (socket.destroyed) return
    if (this.#over || ms === 0) {
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

  /** Ends every wait now, and all that are still to come. */
  hasten(): void {
    this.#over = true
    for (const { end } of [...this.#waits.values()].flatMap(waits => [...waits])) end()
  }

  /** One listener for each connection, however many calls wait on it. */
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
