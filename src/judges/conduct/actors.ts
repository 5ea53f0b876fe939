import { BoundedMap } from '../../base/bounded-map.ts'
import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { Call, Connection } from '../../service/call/call.ts'
import { deliveryOf } from './delivery.ts'

/**
 * A sequence of calls: each may follow from the reply to the one before. Calls on one connection are a sequence, and calls on
 * a connection that opened after that one closed continue it. A caller has as many actors as it had connections open at once, so a pool,
 * several processes and pages in a browser are several.
 */
export interface Actor {
  readonly id: number
  connection: Connection | undefined
  /** When its last call came, and when the reply was sent. */
  calledAt: number
  sentAt: number
  /** How many of its connections closed as soon as they had a reply, as those of short processes do. */
  hops: number
}

/** With more actors of one caller at once, the oldest count as new when they call again. */
const mostActors = 200

/** After this many milliseconds, a connection that closed belongs to the past. */
const freshMs = 1_000

/** A connection that closes this soon after its reply is not kept: milliseconds. */
const hopMs = 1_000

/** Finds the actor of each call of one caller. */
export function createActors(portion: () => number): (exchange: Exchange) => Actor {
  const actors = new BoundedMap<Connection | undefined, Actor>(mostActors, { portion })
  let made = 0

  /** An actor whose connection closed before this one opened: the one that was idle the longest, of those just closed. */
  const predecessor = (openedAt: number): Actor | undefined => {
    const closed = [...actors.values()].filter(
      ({ connection }) => connection?.closedAt !== undefined && connection.closedAt <= openedAt,
    )
    const closedAt = ({ connection }: Actor) => connection?.closedAt ?? 0
    const fresh = closed.filter(actor => closedAt(actor) >= openedAt - freshMs)
    return fresh.length > 0
      ? fresh.toSorted((one, other) => one.calledAt - other.calledAt)[0]
      : closed.toSorted((one, other) => closedAt(other) - closedAt(one))[0]
  }

  const take = ({ connection, receivedAt }: Call): Actor => {
    const known = actors.get(connection)
    if (known !== undefined) return known
    const before = connection && predecessor(connection.openedAt ?? receivedAt)
    if (before === undefined) {
      made += 1
      return { id: made, connection, calledAt: receivedAt, sentAt: receivedAt, hops: 0 }
    }
    actors.delete(before.connection)
    if ((before.connection?.closedAt ?? 0) <= before.sentAt + hopMs) before.hops += 1
    before.connection = connection
    return before
  }

  return exchange => {
    const { call } = exchange
    const actor = take(call)
    actors.set(call.connection, actor)
    actor.calledAt = call.receivedAt
    actor.sentAt = deliveryOf(exchange).at
    return actor
  }
}
