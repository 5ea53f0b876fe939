import { BoundedMap } from '../../base/bounded-map.ts'
import { deliveryOf, type Exchange } from '../../emulator/journal/exchange.ts'
import type { Connection } from '../../service/call/call.ts'
import type { Unjudged } from '../report/report.ts'
import { waitIds } from './checks.ts'

/** A connection on which a key made calls. */
export interface Link {
  readonly id: number
  readonly connection: Connection | undefined
  /** Calls that may follow from each other: those of a connection, and of one that opened after that one closed. */
  readonly sequence: { readonly id: number; hops: number }
  /** Whether it and another one were in use at once: one opened or made a call between opening and first reply of the other. */
  isConcurrent: boolean
  /** The place of its last call, and when the reply was sent. */
  order: number
  sentAt: number
  /** The last fingerprints of its first call and of those that followed a reply on any connection at once. */
  calls: readonly number[]
  /** By link: how often the key went on here after a reply there, and how often at once. */
  readonly changes: Map<number, { all: number; quick: number }>
  isContinued: boolean
  /** The gaps between a reply and the next call, up to a refusal. */
  readonly gaps: { all: number; quick: number; longest: number }
}

/**
 * A call follows a reply at once within this many milliseconds. The longest gap was 9, measured with `fetch` in sequence
 * and with queues of agents beside two busy loops on two cores.
 */
export const atOnceMs = 15

/**
 * Load makes gaps longer and never shorter. So the gaps before a refusal say how busy the machine is: some of 128 were up to
 * 108 ms at a load of 16, and after the refusal 260 ms. So a queue may pause for three times the longest, up to 300 ms.
 */
const loadFactor = 3
const mostQueuedMs = 300

/** A queued call would take a connection that is free for longer, in milliseconds: six times the gap of a quiet machine. */
const idleMs = 100

/** A connection that closes this soon after its reply is not kept, in milliseconds: agents keep one for seconds. */
const hopMs = 1_000

/** As many calls at once are seen as concurrent. Suites and load tests stay far below. */
const mostLinks = 1_000

/** `fetch` has two. More is no caller in sequence. */
const mostChanges = 4

/** A caller with more equal calls at once than this in turn on one connection is a load test. */
const mostFingerprints = 8

export type Links = ReturnType<typeof createLinks>

/** Remembers on which connections a key made its calls. */
export function createLinks(portion: () => number) {
  const links = new BoundedMap<Connection | undefined, Link>(mostLinks, { portion })
  let made = 0
  let last: { readonly link: Link; readonly isFailure: boolean } | undefined

  const open = ({ call: { connection, receivedAt } }: Exchange): Link => {
    made += 1
    const isClosed = ({ isContinued, connection }: Link) =>
      !isContinued && connection?.closedAt !== undefined && connection.closedAt <= receivedAt
    const before = connection && [...links.values()].findLast(isClosed)
    if (before !== undefined) {
      before.isContinued = true
      if ((before.connection?.closedAt ?? 0) <= before.sentAt + hopMs) before.sequence.hops += 1
    }
    const sequence = before?.sequence ?? { id: made, hops: 0 }
    const changes = new BoundedMap<number, { all: number; quick: number }>(mostChanges)
    return {
      id: made,
      connection,
      sequence,
      isConcurrent: false,
      order: Number.NEGATIVE_INFINITY,
      sentAt: Number.NEGATIVE_INFINITY,
      calls: [],
      changes,
      isContinued: false,
      gaps: { all: 0, quick: 0, longest: 0 },
    }
  }

  return {
    /** The link of the next call, and how long ago the reply before it on the same connection was sent. */
    of: (exchange: Exchange, fingerprint: number): { readonly link: Link; readonly gapMs: number } => {
      const { call, reply } = exchange
      const link = links.get(call.connection) ?? open(exchange)
      const order = call.order ?? Number.NaN
      for (const other of links.values()) if (other !== link) noteConcurrency(link, other, order)
      const gapMs = call.receivedAt - link.sentAt
      // Equal calls in sequence were not wanted at once.
      const isAtOnce =
        call.receivedAt - (last?.link.sentAt ?? call.receivedAt) <= queuedMs([...links.values()])
      // What follows a refusal is what is judged.
      if (last !== undefined && last.link !== link && !last.isFailure) {
        const change = link.changes.get(last.link.id) ?? { all: 0, quick: 0 }
        link.changes.set(last.link.id, change)
        count(change, call.receivedAt - last.link.sentAt)
      }
      if (last?.isFailure !== true && Number.isFinite(gapMs)) {
        count(link.gaps, gapMs)
        link.gaps.longest = Math.max(link.gaps.longest, gapMs)
      }
      link.order = order
      link.sentAt = deliveryOf(exchange).at
      if ((link.calls.length === 0 || isAtOnce) && !link.calls.includes(fingerprint))
        link.calls = [...link.calls, fingerprint].slice(-mostFingerprints)
      links.set(call.connection, link)
      last = { link, isFailure: reply.status === 429 || reply.status === 503 }
      return { link, gapMs }
    },
    get: (connection: Connection | undefined): Link | undefined => links.get(connection),
    /** Those that were concurrent with another one, and open at or after an instant. */
    concurrent: (since: number): readonly Link[] =>
      [...links.values()].filter(
        ({ isConcurrent, connection }) => isConcurrent && (connection?.closedAt ?? since) >= since,
      ),
  }
}

function count(gaps: { all: number; quick: number }, gapMs: number): void {
  gaps.all += 1
  if (gapMs <= atOnceMs) gaps.quick += 1
}

/** `order`: of a call on `link`. */
function noteConcurrency(link: Link, other: Link, order: number): void {
  const [own, its] = [link.connection, other.connection]
  if (own === undefined || its === undefined) return
  const isDuring = ({ opened, replied = Number.POSITIVE_INFINITY }: Connection, at: number) =>
    opened <= at && at <= replied
  const isConcurrent =
    isDuring(its, order) ||
    isDuring(its, own.opened) ||
    isDuring(own, its.opened) ||
    isDuring(own, other.order)
  if (!isConcurrent) return
  link.isConcurrent = true
  other.isConcurrent = true
}

/** Whether calls went to and fro between two connections as `fetch` makes them in sequence. */
export function areOneCaller(one: Link, other: Link): boolean {
  const to = other.changes.get(one.id)
  const back = one.changes.get(other.id)
  if (to === undefined || back === undefined) return false
  // Each way: of two processes at the same pace, one may always come just after the other.
  return to.quick > 0 && back.quick > 0 && (to.quick + back.quick) * 2 > to.all + back.all
}

/** How long a queue of these connections may pause. One that has no quick gaps pauses by itself. */
function queuedMs(group: readonly Link[]): number {
  const sum = (of: (gaps: Link['gaps']) => number) => group.reduce((all, { gaps }) => all + of(gaps), 0)
  if (sum(({ quick }) => quick) * 2 < sum(({ all }) => all)) return atOnceMs
  const longest = Math.max(...group.map(({ gaps }) => gaps.longest))
  return longest <= atOnceMs ? atOnceMs : Math.min(mostQueuedMs, longest * loadFactor)
}

/** Whether a call may have waited for a connection to become free. `group`: the concurrent connections of its key. */
export function isQueued(link: Link, gapMs: number, group: readonly Link[], now: number): boolean {
  if (!link.isConcurrent || group.length < 2 || link.connection?.isLane) return false
  const most = queuedMs(group)
  const isBusy = ({ connection, sentAt }: Link) =>
    connection?.closedAt !== undefined || now - sentAt <= Math.max(idleMs, most)
  return gapMs <= most && group.every(other => other === link || isBusy(other))
}

/** Why an early call, or a ban, cannot be judged. */
const reasons = {
  frozen:
    'the clock of pet-mock was frozen when it refused calls, so a client that compares X-RateLimit-Reset with its own clock waits too long or too short',
  far: 'the clock of pet-mock was far from real time when it refused calls with a date, so a client that compares it with its own clock waits too long or too short',
  crossed:
    'each came on another connection just after a refusal, so the client may have sent it before it read the refusal',
  gone: 'each came too early, on a connection of its own that made no later call, so another process with the same key may have made it',
} as const
export type OpenReason = keyof typeof reasons

/** How many calls cannot be judged, by reason. */
export type OpenCalls = Map<OpenReason, number>

export function unjudgedOf(calls: OpenCalls): readonly Unjudged[] {
  return Array.from(calls, ([reason, count]) => ({
    checks: waitIds,
    count,
    what: 'call',
    reason: reasons[reason],
  }))
}
