import type { Socket } from 'node:net'

/**
 * Calls back at an event of a connection, which comes at most once. Adds one listener per connection, for any number of
 * callbacks. Returns a function that cancels.
 */
export function createSocketEvent(event: 'close' | 'end'): (socket: Socket, act: () => void) => () => void {
  const all = new WeakMap<Socket, Set<() => void>>()
  const actsOf = (socket: Socket) => {
    const known = all.get(socket)
    if (known !== undefined) return known
    const acts = new Set<() => void>()
    all.set(socket, acts)
    socket.once(event, () => {
      for (const act of acts) act()
    })
    return acts
  }
  return (socket, act) => {
    const acts = actsOf(socket)
    acts.add(act)
    return () => acts.delete(act)
  }
}

/** Timers by connection. When a connection closes, its timers are dropped. */
export class Waits {
  readonly #waits = new Set<() => void>()
  readonly #whenClosed = createSocketEvent('close')
  isOver = false

  /** Calls back after `ms` (Infinity: only on `hasten`), or on `hasten`; never once the connection is closed. */
  wait(socket: Socket, ms: number, done: () => void): void {
    if (socket.destroyed) return
    if (this.isOver || ms === 0) {
      done()
      return
    }
    const drop = () => {
      clearTimeout(timer)
      stopListening()
      this.#waits.delete(end)
    }
    const end = () => {
      drop()
      done()
    }
    const timer = Number.isFinite(ms) ? setTimeout(end, ms) : undefined
    const stopListening = this.#whenClosed(socket, drop)
    this.#waits.add(end)
  }

  /** Ends every wait now, and every later one at once. */
  hasten(): void {
    this.isOver = true
    for (const end of [...this.#waits]) end()
  }
}
