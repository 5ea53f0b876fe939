import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { Connection } from '../../service/call/call.ts'
import { deliveryOf } from './delivery.ts'

/** How a connection took part in a burst. */
interface Member {
  /** Whether it was used together with another one. */
  isTogether: boolean
  calls: number
  sentAt: number
}

/** Calls that a client wants at once, and sends as its connections become free or as its processes start. */
interface Burst {
  readonly beganAt: number
  lastAt: number
  /** How many of its connections were in use together with another one. */
  together: number
  /** The connection of the last calls, and how many in a row it had. */
  last: Connection | undefined
  inRow: number
  readonly members: Map<Connection, Member>
}

/**
 * A client sends a waiting call at once, on a busy machine this many milliseconds later. So a client whose connection is free
 * for longer has no call that waits.
 */
const idleMs = 250

/** Two connections that are used this closely together are used at once: milliseconds. */
const togetherMs = 20

/** A waiting call takes any free connection. So no call waits while one connection has this many calls and the others none. */
const mostInRow = 5

const mostMembers = 500

/**
 * Finds bursts: calls of one caller without a pause, on connections used at once. Returns when the burst of a call began, or
 * undefined if no other call may have been wanted at the same time.
 */
export function createBursts(): (exchange: Exchange) => number | undefined {
  let burst: Burst | undefined
  return exchange => {
    const { connection, receivedAt } = exchange.call
    // Without a connection, or where calls need no network, no call waits for another one.
    if (connection?.openedAt === undefined) return undefined
    if (burst === undefined || isOver(burst, receivedAt) || isOneAlone(burst, exchange))
      burst = {
        beganAt: receivedAt,
        lastAt: receivedAt,
        together: 0,
        last: undefined,
        inRow: 0,
        members: new Map(),
      }
    join(burst, exchange, connection)
    return isParallel(burst) ? burst.beganAt : undefined
  }
}

/** Of processes in turn, a busy machine may close one connection only after it opened the next. */
function isParallel({ members: { size }, together }: Burst): boolean {
  return size > 1 && together * (together > 2 ? 10 : 4) >= size
}

function isOver({ lastAt, beganAt, members }: Burst, now: number): boolean {
  if (now - lastAt > idleMs) return true
  for (const [{ openedAt = 0, closedAt }, { calls, sentAt }] of members) {
    // A connection from before the burst may be another client's.
    const isOfBurst = openedAt >= beganAt - idleMs || calls > 1
    if (isOfBurst && closedAt === undefined && now - sentAt > idleMs) return true
  }
  return false
}

/** Whether one connection does all the work, and another one is open and free. */
function isOneAlone(
  { last, inRow, members }: Burst,
  { call: { connection, receivedAt } }: Exchange,
): boolean {
  if (connection !== last || inRow < mostInRow - 1) return false
  return [...members].some(
    ([other, { sentAt }]) => other !== last && other.closedAt === undefined && sentAt < receivedAt,
  )
}

function join(burst: Burst, exchange: Exchange, connection: Connection): void {
  const { members } = burst
  const now = exchange.call.receivedAt
  burst.lastAt = now
  burst.inRow = connection === burst.last ? burst.inRow + 1 : 1
  burst.last = connection
  const known = members.get(connection)
  const member = known ?? { isTogether: false, calls: 0, sentAt: now }
  const { openedAt = now } = connection
  const from = known === undefined && openedAt >= burst.beganAt ? openedAt : now
  if (!member.isTogether && isUsedTogether(members, connection, from)) {
    member.isTogether = true
    burst.together += 1
  }
  if (members.size < mostMembers) members.set(connection, member)
  member.calls += 1
  member.sentAt = deliveryOf(exchange).at
}

/** Whether another connection is open at an instant, and was used just before. */
function isUsedTogether(members: Burst['members'], own: Connection, at: number): boolean {
  for (const [other, { sentAt }] of members) {
    const { closedAt } = other
    if (other !== own && (closedAt === undefined || closedAt > at) && sentAt >= at - togetherMs) return true
  }
  return false
}
