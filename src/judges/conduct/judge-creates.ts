import { BoundedMap } from '../../base/bounded-map.ts'
import { mayArrive } from '../../emulator/journal/exchange.ts'
import { faultName, faultTraits } from '../../service/call/fault.ts'
import { roleOf } from '../../service/operations/operations.ts'
import type { Judge, Note, ObservedCall, Portion } from './observed-call.ts'

/** A pet whose creation had a reply that may never have come. */
type Created = ReturnType<typeof createdBy>

const mostCreated = 1_000

/**
 * Finds pets that a client creates again because the reply never came (RFC 9110, section 9.2.2). A client that reads pets
 * in between has looked, and one that had the same pet before may want several.
 */
export function judgeCreates(note: Note, portion: Portion): Judge {
  const created = new BoundedMap<number, Created>(mostCreated, { portion })
  return observed => {
    const { exchange, fingerprint, delivery, link } = observed
    const { trace, reply, call } = exchange
    if (roleOf(trace.operation) !== 'create') {
      if (trace.operation !== undefined && reply.status === 200 && mayArrive(delivery)) created.clear()
      return
    }
    if (reply.status !== 201 || trace.synthetic) return
    const earlier = created.get(fingerprint)
    if (earlier === undefined) created.set(fingerprint, createdBy(observed))
    const lostAt = earlier && lostSince(earlier, call.receivedAt)
    if (earlier === undefined || lostAt === undefined) return
    // Equal calls that were wanted at once are several pets.
    const isAtOnce = link.isConcurrent && (call.connection?.opened ?? 0) <= earlier.order
    if (call.receivedAt <= lostAt || isAtOnce) return
    const detail = () => `request ${earlier.request} created the same pet, and its response was lost`
    note({ id: 'duplicate-create', exchange, detail })
  }
}

function createdBy({ exchange, delivery }: ObservedCall) {
  const { id, call, reply } = exchange
  const { delayMs = 0, fault } = reply
  const name = fault && faultName(fault)
  const breaks = name !== undefined && name !== 'hang' && faultTraits[name].arrives !== 'whole'
  return {
    request: id,
    order: call.order ?? 0,
    delivery,
    /** When the server broke the reply, in the door's time. */
    brokenAt: breaks ? call.receivedAt + delayMs : undefined,
  }
}

/** When the client knew that the reply would not come; undefined if it may have come before `now`. */
function lostSince({ delivery: { connection, at }, brokenAt }: Created, now: number): number | undefined {
  if (brokenAt !== undefined) return brokenAt
  const closedAt = connection?.closedAt
  // A client may close only its own end, and still read.
  return closedAt !== undefined && closedAt < at && now < at ? closedAt : undefined
}
