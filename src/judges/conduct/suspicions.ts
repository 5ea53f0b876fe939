import { BoundedMap } from '../../base/bounded-map.ts'
import type { HeldRemark, ObservedCall, Portion, Remark } from './observed-call.ts'
import { retryAfterMs } from './retry-after-dialect.ts'

/** Early calls on connections of their own: of one client that opens one for each call, or of several that know nothing. */
interface Group {
  readonly remarks: HeldRemark[]
  /** The calls of each fingerprint that were refused in the wait, and that came back after it. */
  readonly refused: Map<number, number>
  readonly returned: Map<number, number>
  readonly fingerprints: Map<number, number>
  /** When the last of them was to come back: milliseconds of the client's time. */
  dueAt: number
  /** Whether a call came just then. */
  cameInTime: boolean
  isOver: boolean
  /** Until when its clients come back: milliseconds of their time. */
  settleAt: number | undefined
}

/** So many calls in turn are one client's, even if none comes back. */
const enoughRemarks = 3

/** More clients than this do not share a wait politely. */
const mostRemarks = 40

const mostGroups = 20
const mostFingerprints = 100

/** Polite clients come back within this many milliseconds of each other: `Retry-After` has whole seconds. */
const returnMs = 1_000

/** A client that waits for `Retry-After` in the end comes back this close to its end: milliseconds. */
const inTimeMs = 150

interface SuspicionOptions {
  readonly note: (remark: HeldRemark) => void
  readonly hold: (remark: Remark) => HeldRemark
  /** Called for each call that another client may have made. */
  readonly onDoubt: () => void
  readonly portion: Portion
}

/**
 * Keeps what looks like an early call until it is clear whose it was: several clients each come back when the wait is over,
 * one client comes back once. A call or two after which nobody comes back may be anybody's.
 */
export class Suspicions {
  readonly #options: SuspicionOptions
  readonly #groups: BoundedMap<string, Group>
  /** The last call with a remark that is kept. */
  #suspect: Remark['exchange']['id'] | undefined

  constructor(options: SuspicionOptions) {
    this.#options = options
    const onDropped = (group: Group) => this.#settle(group)
    this.#groups = new BoundedMap(mostGroups, { portion: options.portion, onDropped })
  }

  /** A call was refused during a wait. `remark`: it may be an early one. */
  refused(name: string, { fingerprint, exchange }: ObservedCall, remark?: Remark): void {
    const group = this.#groups.get(name) ?? newGroup()
    this.#groups.set(name, group)
    count(group.refused, fingerprint)
    if (remark === undefined) return
    group.remarks.push(this.#options.hold(remark))
    this.#suspect = exchange.id
    group.dueAt = exchange.call.receivedAt + (retryAfterMs(exchange.reply) ?? Number.NaN)
    count(group.fingerprints, fingerprint)
    if (group.remarks.length > mostRemarks) this.#noteAll(group)
  }

  /** Adds a remark about the last call, which holds only if that call was an early one. Returns false if it was none. */
  add(remark: Remark): boolean {
    const group = [...this.#groups.values()].at(-1)
    if (group === undefined || group.remarks.length === 0 || this.#suspect !== remark.exchange.id)
      return false
    group.remarks.push(this.#options.hold(remark))
    return true
  }

  /** The wait is over: its clients may come back. */
  over(name: string): void {
    const group = this.#groups.get(name)
    if (group?.remarks.length === 0) this.#groups.delete(name)
    else if (group !== undefined) group.isOver = true
  }

  /** Sees each call, after it was judged. */
  see(fingerprint: number, now: number): void {
    for (const [name, group] of this.#groups) {
      if (!group.isOver) continue
      group.settleAt ??= now + returnMs
      group.cameInTime ||= Math.abs(now - group.dueAt) <= inTimeMs
      if (now <= group.settleAt) count(group.returned, fingerprint)
      else {
        this.#groups.delete(name)
        this.#settle(group)
      }
    }
  }

  /** The remarks that are still open, as they would be decided now. */
  open(): readonly HeldRemark[] {
    return [...this.#groups.values()].filter(isOneClient).flatMap(({ remarks }) => remarks)
  }

  /** The number of the other ones. */
  doubtful(): number {
    const others = [...this.#groups.values()].filter(group => !isOneClient(group))
    return others.reduce((sum, { remarks }) => sum + remarks.length, 0)
  }

  /** No further call will come. */
  end(): void {
    for (const group of this.#groups.values()) this.#settle(group)
    this.#groups.clear()
  }

  #settle(group: Group): void {
    if (isOneClient(group)) this.#noteAll(group)
    else for (const _ of group.remarks.splice(0)) this.#options.onDoubt()
  }

  #noteAll({ remarks }: Group): void {
    for (const remark of remarks.splice(0)) this.#options.note(remark)
  }
}

function count(counts: Map<number, number>, fingerprint: number): void {
  const before = counts.get(fingerprint)
  if (before !== undefined || counts.size < mostFingerprints) counts.set(fingerprint, (before ?? 0) + 1)
}

function newGroup(): Group {
  return {
    remarks: [],
    refused: new Map(),
    returned: new Map(),
    fingerprints: new Map(),
    dueAt: Number.NaN,
    cameInTime: false,
    isOver: false,
    settleAt: undefined,
  }
}

function isOneClient(group: Group): boolean {
  const { remarks, cameInTime, fingerprints } = group
  if (remarks.length > mostRemarks) return true
  const suspects = [...fingerprints.values()].reduce((sum, calls) => sum + calls, 0)
  return !isCrowd(group) && (cameInTime || suspects >= enoughRemarks)
}

/** Whether as many came back as were refused. */
function isCrowd({ refused, returned, fingerprints }: Group): boolean {
  return [...fingerprints].every(([fingerprint, suspects]) => {
    const others = (refused.get(fingerprint) ?? suspects) - suspects
    const enough = others + Math.ceil(suspects <= 3 ? suspects : suspects * 0.75)
    return (returned.get(fingerprint) ?? 0) >= Math.max(2, enough)
  })
}
