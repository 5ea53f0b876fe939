import { countIn } from '../../base/count-in.ts'
import type { Severity } from '../report/finding.ts'
import type { ConductId } from './checks.ts'
import { areOneCaller, atOnceMs, isQueued, type Link, type Links, type OpenReason } from './links.ts'
import type { HeldRemark, ObservedCall, Remark, Standing } from './observed-call.ts'
import { isMisdated, isOver, misdatedReason, toldTo, type Wait } from './wait.ts'

/** Two calls at once over two kept connections: the second one is sent before the refusal of the first is read. So is its repetition after the wait. */
const mostCrossed = 2

/** So many early calls are one caller's, although none came back: the third call is no coincidence of two processes. */
const enoughEarly = 3

/** Calls come back within a tenth of the wait after its end, because clients add jitter, and within a second, because `Retry-After` has whole seconds. */
const returnShare = 0.1
const leastReturnMs = 1_000

/** One caller that ignores three refusals in one wait is a loop. */
const loopAt = 3

/** One client that hammers for an hour on new connections needs no more evidence. */
const mostHeld = 500

/** In a wait of a day, a load test may make millions of different calls. Later ones count as new. */
const mostAsked = 5_000

export interface EarlyOptions {
  readonly links: Links
  readonly note: (remark: HeldRemark) => void
  readonly hold: (remark: Remark) => HeldRemark
  readonly onOpen: (reason: OpenReason) => void
}

/** What a key did in one wait. */
export class EarlyCalls {
  readonly #options: EarlyOptions
  /** When the wait before ended: milliseconds of the client's time. */
  readonly #since: number
  readonly #asked = new Set<number>()
  /** By fingerprint: the refusals of callers that may come back, and the calls that did. */
  readonly #refused = new Map<number, number>()
  readonly #returned = new Map<number, number>()
  readonly #equal = new Map<number, number>()
  #excused = 0
  #crossed = 0
  #shared = 0
  #early = 0
  #others = 0
  #refusedAt: number
  #held: HeldRemark[] = []
  /** Until when calls come back; undefined: the wait is not over. */
  #returnsUntil: number | undefined

  constructor(options: EarlyOptions, since: number, first: ObservedCall) {
    this.#options = options
    this.#since = since
    this.#refusedAt = first.delivery.at
    this.#asked.add(first.fingerprint)
    countIn(this.#refused, first.fingerprint)
  }

  /** Adds a remark about a held call, which holds if one caller made it. */
  attach(remark: Remark): void {
    if (this.#held.length < mostHeld) this.#held.push(this.#options.hold(remark))
  }

  isAsked(fingerprint: number): boolean {
    return this.#asked.has(fingerprint)
  }

  /** Judges a call that was refused before the wait was over. `remark`: what it is if its sender had the refusal. */
  judge(call: ObservedCall, wait: Wait, remark: Remark): Standing {
    const standing = this.#standingOf(call, wait)
    const { fingerprint, delivery } = call
    if (standing === 'crossed') this.#options.onOpen('crossed')
    else if (standing === 'misdated') this.#options.onOpen(misdatedReason(call.exchange))
    else if (standing === 'early' || standing === 'held') {
      this.#early += 1
      const held = this.#options.hold(remark)
      if (standing === 'early' || this.#held.length >= mostHeld) this.#note(held)
      else {
        this.#held.push(held)
        countIn(this.#refused, fingerprint)
      }
    }
    if (this.#asked.size < mostAsked) this.#asked.add(fingerprint)
    this.#refusedAt = delivery.at
    return standing
  }

  #standingOf(call: ObservedCall, wait: Wait): Standing {
    const { links } = this.#options
    const { exchange, link, gapMs } = call
    const isOneCaller = (other: Link | undefined) => other !== undefined && areOneCaller(link, other)
    const told = toldTo(wait, exchange.call, connection => isOneCaller(links.get(connection)))
    if (told === undefined || isOver(told, exchange)) return 'free'
    if (isMisdated(wait, exchange)) return 'misdated'
    const now = exchange.call.receivedAt
    const group = links.concurrent(this.#since)
    if (isQueued(link, gapMs, group, now) || this.#excuses(call, group)) return 'excused'
    if (told.by === 'own' && this.#isShared(call, group)) return 'held'
    // An instance is one client, on whatever connection.
    if (told.by === 'other' && exchange.call.connection?.instance === undefined) return 'held'
    if (told.by !== 'same') return 'early'
    if (now - this.#refusedAt > atOnceMs || this.#crossed >= mostCrossed) return 'early'
    this.#crossed += 1
    return 'crossed'
  }

  /**
   * Workers that share connections may be more than were ever seen at once: on a busy machine, one was done before the next one
   * began, or opened its connection. So the wire does not say who makes as many equal calls again.
   */
  #isShared({ fingerprint }: ObservedCall, group: readonly Link[]): boolean {
    if (this.#shared >= countEqual(group, fingerprint) - 1) return false
    this.#shared += 1
    return true
  }

  /** As many callers as were seen at once, less the one that was refused, may each make a call before they have a refusal. */
  #excuses({ fingerprint }: ObservedCall, group: readonly Link[]): boolean {
    if (this.#excused >= group.length - 1) return false
    if (this.#asked.has(fingerprint)) {
      if ((this.#equal.get(fingerprint) ?? 0) >= countEqual(group, fingerprint) - 1) return false
      countIn(this.#equal, fingerprint)
    }
    this.#excused += 1
    return true
  }

  /** The wait of `lengthMs` ended at an instant of the client's time. */
  over(endedAt: number, lengthMs: number): void {
    this.#returnsUntil ??= endedAt + Math.max(leastReturnMs, lengthMs * returnShare)
  }

  /** Sees a call after the wait. True: everything is decided. */
  see(fingerprint: number, now: number): boolean {
    if (this.#held.length === 0) return true
    if (now > (this.#returnsUntil ?? Number.POSITIVE_INFINITY)) this.end()
    else if (this.#refused.has(fingerprint)) countIn(this.#returned, fingerprint)
    return this.#held.length === 0
  }

  /** What the held calls are, as if no further call came. */
  open(): { readonly remarks: readonly HeldRemark[]; readonly unjudged: number } {
    const held = this.#held
    const verdict = this.#verdict()
    const early = held.filter(({ id }) => id !== 'no-backoff')
    if (verdict === 'open') return { remarks: [], unjudged: early.length }
    if (verdict === 'several') return { remarks: early.map(asSeveral), unjudged: 0 }
    let others = this.#others
    const remarks = held.map(remark => {
      if (remark.id === 'called-while-limited') others += 1
      return asOne(remark, others, verdict === 'gave up')
    })
    return { remarks, unjudged: 0 }
  }

  end(): void {
    const { remarks, unjudged } = this.open()
    this.#held = []
    for (const remark of remarks) this.#options.note(remark)
    for (let left = unjudged; left > 0; left -= 1) this.#options.onOpen('gone')
  }

  #note(remark: HeldRemark): void {
    if (remark.id === 'called-while-limited') this.#others += 1
    this.#options.note(asOne(remark, this.#others, false))
  }

  #verdict(): 'one' | 'gave up' | 'several' | 'open' {
    let back = 0
    let all = 0
    for (const [fingerprint, refused] of this.#refused) {
      all += refused
      back += Math.min(refused, this.#returned.get(fingerprint) ?? 0)
    }
    if (back === all) return 'several'
    if (back > 0) return 'one'
    return this.#early >= enoughEarly ? 'gave up' : 'open'
  }
}

/** On how many connections this call was made at once with others. */
function countEqual(group: readonly Link[], fingerprint: number): number {
  return group.filter(({ calls }) => calls.includes(fingerprint)).length
}

function asOne(remark: HeldRemark, others: number, gaveUp: boolean): HeldRemark {
  const severity: Severity = 'error'
  const isLoop = remark.id === 'called-while-limited' && others >= loopAt
  const { detail } = remark
  return {
    ...remark,
    ...(isLoop && { severity }),
    ...(gaveUp && {
      detail: (count: number) =>
        `${detail(count)}; no refused call came back, as from a client that gives up (or from several processes that share the key)`,
    }),
  }
}

function asSeveral(remark: HeldRemark): HeldRemark {
  const id: ConductId = 'called-while-limited'
  const { detail } = remark
  return {
    ...remark,
    id,
    detail: count =>
      `${detail(count)}; each refused call came back, as from several clients that share the key`,
  }
}
