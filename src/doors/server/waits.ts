import type { Socket } from 'node:net'

interface Wait {
  readonly timer: NodeJS.Timeout | undefined
  readonly end: () => void
}

/** Timers by connection. When a connection closes, its timers are dropped. */
export class Waits {
  readonly #waits = new Map<Socket, Set<Wait>>()
  #isOver = false

  get isOver(): boolean {
    return this.#isOver
  }

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
