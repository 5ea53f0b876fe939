import type { Socket } from 'node:net'

export type WhenLeaving = (socket: Socket, act: () => void) => () => void

/**
 * Calls back when the client closes its side of a connection, at once if it has. Adds one listener per connection, for any
 * number of calls. Returns a function that cancels.
 */
export function createLeaving(): WhenLeaving {
  const all = new WeakMap<Socket, Set<() => void>>()
  const actsOf = (socket: Socket) => {
    const known = all.get(socket)
    if (known !== undefined) return known
    const acts = new Set<() => void>()
    all.set(socket, acts)
    socket.once('end', () => {
      for (const act of acts) act()
    })
    return acts
  }
  return (socket, act) => {
    if (socket.readableEnded) act()
    const acts = actsOf(socket)
    acts.add(act)
    return () => acts.delete(act)
  }
}
