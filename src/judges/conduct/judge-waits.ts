import { BoundedMap } from '../../base/bounded-map.ts'
import { type Exchange, hasArrived, isRefused } from '../../emulator/journal/exchange.ts'
import { seconds } from './checks.ts'
import { EarlyCalls, type EarlyOptions } from './early-calls.ts'
import type { HeldRemark, Judge, Note, ObservedCall, Portion, Remark, Standing } from './observed-call.ts'
import {
  demandedWait,
  describeForm,
  isGone,
  isMisdated,
  isOver,
  misdatedReason,
  prolong,
  retryAfterText,
  toleranceMs,
  type Wait,
} from './wait.ts'

const mostWatched = 500

/** Waits whose calls may still come back. */
const mostOpen = 20

export interface WaitOptions extends Omit<EarlyOptions, 'note'> {
  readonly note: Note
  readonly noteHeld: (remark: HeldRemark) => void
  readonly onWait: (wait: Wait) => void
  /** One for all clients of a key, because a ban is the key's. */
  readonly bans: ReturnType<typeof judgeBans>
  readonly portion: Portion
}

/** A wait and what was done in it. */
interface Running {
  readonly wait: Wait
  readonly calls: EarlyCalls
}

/**
 * Judges early retries, other calls while the key is rate limited, calls during a ban, and bans. The refusal of a limit or a
 * ban binds the key; an injected one, and a 503, bind their call.
 */
export class WaitJudge {
  readonly #options: WaitOptions
  #key: Running | undefined
  readonly #own: BoundedMap<number, Running>
  readonly #ended: BoundedMap<EarlyCalls, EarlyCalls>
  /** When the last wait of the key ended: milliseconds of the client's time. */
  #since = Number.NEGATIVE_INFINITY
  /** Where the last call is held. */
  #holder: EarlyCalls | undefined

  constructor(options: WaitOptions) {
    const { portion } = options
    this.#options = options
    this.#own = new BoundedMap(mostWatched, { portion, onDropped: ({ calls }) => calls.end() })
    this.#ended = new BoundedMap(mostOpen, { portion, onDropped: calls => calls.end() })
  }

  readonly judge = (call: ObservedCall): void => {
    const { exchange, fingerprint } = call
    const isKeys = isRefused(exchange)
    if (isAccepted(exchange)) this.#accepted(exchange)
    const holder = isKeys ? this.#key?.calls : this.#own.get(fingerprint)?.calls
    call.standing = isKeys ? this.#refused(call) : this.#judgeOwn(call)
    this.#holder = call.standing === 'held' ? holder : undefined
    for (const calls of this.#ended.keys())
      if (calls.see(fingerprint, exchange.call.receivedAt)) this.#ended.delete(calls)
  }

  /** Notes a remark about the last call: if that is held, when it is decided. */
  readonly note = (remark: Remark): void => {
    if (this.#holder === undefined) this.#options.note(remark)
    else this.#holder.attach(remark)
  }

  /** Remarks about calls that later ones decide, as if none came, and how many of them cannot be judged. */
  open(): { readonly remarks: readonly HeldRemark[]; readonly unjudged: number } {
    const open = this.#all().map(calls => calls.open())
    return {
      remarks: open.flatMap(({ remarks }) => remarks),
      unjudged: open.reduce((sum, { unjudged }) => sum + unjudged, 0),
    }
  }

  /** No further call will come. */
  end(): void {
    for (const calls of this.#all()) calls.end()
  }

  #all(): readonly EarlyCalls[] {
    const own = Array.from(this.#own.values(), ({ calls }) => calls)
    return [...(this.#key === undefined ? [] : [this.#key.calls]), ...own, ...this.#ended.keys()]
  }

  #accepted(exchange: Exchange): void {
    if (this.#key !== undefined) this.#endKey(this.#key, exchange)
    this.#key = undefined
    this.#options.bans.accepted()
  }

  #refused(call: ObservedCall): Standing {
    const { exchange } = call
    const { bans } = this.#options
    const demanded = demandedWait(call)
    const before = this.#key
    let standing: Standing = 'free'
    let going: Running | undefined
    if (before !== undefined && !isOver(before.wait, exchange) && !isGone(before.wait, exchange)) {
      const remark = earlyRemark(idOf(before, call), call, before.wait, demanded)
      standing = before.calls.judge(call, before.wait, remark)
      if (standing === 'misdated') bans.misdated()
      going = before
    } else if (before !== undefined) {
      if (exchange.scale === 0) bans.misdated()
      else if (exchange.call.receivedAt >= before.wait.clientUntil && exchange.at < before.wait.until)
        bans.obeyed()
      this.#endKey(before, exchange)
    }
    bans.refused(exchange, demanded !== undefined)
    this.#key = this.#goOn(call, going, demanded)
    return standing
  }

  /** Judges injected 429 and 503 with `Retry-After`. */
  #judgeOwn(call: ObservedCall): Standing {
    const { exchange, fingerprint } = call
    const demanded = demandedWait(call)
    const before = this.#own.get(fingerprint)
    const isWaiting = before !== undefined && !isOver(before.wait, exchange)
    const remark = isWaiting && earlyRemark('early-retry', call, before.wait, undefined)
    const standing = remark ? before.calls.judge(call, before.wait, remark) : 'free'
    this.#own.delete(fingerprint)
    if (before !== undefined && !isWaiting) this.#end(before, exchange)
    // A client that asks for a response by Prefer may ask again at any time.
    const isAsked = exchange.trace.gate === 'prefer'
    const next = this.#goOn(call, isWaiting ? before : undefined, isAsked ? undefined : demanded)
    if (next !== undefined) this.#own.set(fingerprint, next)
    return standing
  }

  /** What runs after a call. `going`: the wait in which it came. */
  #goOn(call: ObservedCall, going: Running | undefined, demanded: Wait | undefined): Running | undefined {
    if (demanded === undefined) {
      if (going !== undefined) this.#end(going, call.exchange)
      return undefined
    }
    const wait = going === undefined ? demanded : prolong(going.wait, demanded)
    const { noteHeld: note } = this.#options
    const calls = going?.calls ?? new EarlyCalls({ ...this.#options, note }, this.#since, call)
    this.#options.onWait(wait)
    return { wait, calls }
  }

  #endKey(running: Running, exchange: Exchange): void {
    this.#since = Math.min(exchange.call.receivedAt, running.wait.clientUntil)
    this.#end(running, exchange)
  }

  #end({ wait: { clientUntil, saidUntil, knownAt }, calls }: Running, { call }: Exchange): void {
    // A moved clock, or a command, ends a wait at once.
    const isWaited = call.receivedAt >= clientUntil - toleranceMs
    calls.over(isWaited ? saidUntil : call.receivedAt, clientUntil - knownAt)
    this.#ended.set(calls, calls)
  }
}

/** Whether a call clears the strikes of its key (A10). */
function isAccepted(exchange: Exchange): boolean {
  const { trace, reply } = exchange
  return !isRefused(exchange) && (trace.limit?.accepted ?? reply.status < 400)
}

function idOf({ wait, calls }: Running, { fingerprint }: ObservedCall) {
  if (wait.bannedFrom !== undefined) return 'call-during-ban'
  return calls.isAsked(fingerprint) ? 'early-retry' : 'called-while-limited'
}

/** `known`: the wait that the client did not keep. */
function earlyRemark(
  id: Remark['id'],
  { exchange }: ObservedCall,
  known: Wait,
  demanded: Wait | undefined,
): Remark {
  const { connection, receivedAt } = exchange.call
  const end = Math.min(known.clientUntil, demanded?.clientUntil ?? Number.POSITIVE_INFINITY)
  const early = Math.max(0, end - receivedAt)
  const wait = id === 'call-during-ban' ? 'the ban' : 'Retry-After'
  const told = known.knownBy.get(connection) ?? [...known.knownBy.values()].at(-1)
  const form = told === undefined ? '' : describeForm(told.said)
  const isByOwnClock = known.skewedReset !== undefined && receivedAt >= known.skewedReset
  const skew = isByOwnClock
    ? '; X-RateLimit-Reset was over by the clock of the client, not of the service'
    : ''
  return {
    id,
    exchange,
    size: early,
    detail: () => `${seconds(early)} before ${wait} was over${form}${skew}`,
  }
}

/** Judges the bans of a key for calling while it was rate limited. `onOpen`: its client may have waited by its own clock. */
export function judgeBans(note: Note, onOpen: EarlyOptions['onOpen']) {
  /** Whether a client that waits by its own clock was refused again since the last accepted call. */
  let isMisdated = false
  /** Whether a client was refused again although it waited as long as a refusal said, such as 0 s. */
  let hasObeyed = false
  /** Whether the last refusal said how long to wait. */
  let hasWait = false
  /** How the last refusal said when to retry, if a client may have failed to read it. */
  let form = ''
  return {
    misdated: () => {
      isMisdated = true
    },
    obeyed: () => {
      hasObeyed = true
    },
    /** `saysWait`: the refusal says how long to wait. */
    refused: (exchange: Exchange, saysWait: boolean) => {
      const { gate, code, strikes } = exchange.trace
      const isFirst = !hasWait
      hasWait = saysWait
      const text = `refused call number ${strikes}${form}`
      form = describeForm(retryAfterText(exchange.reply))
      // A scenario may start one strike before the ban: that ban is not the fault of this client.
      const isFault = !(isFirst && strikes > 1) && !hasObeyed
      if (gate !== 'limit' || code !== 'api_key_banned' || !isFault) return
      if (isMisdated) onOpen(misdatedReason(exchange))
      else note({ id: 'banned', exchange, detail: () => text })
    },
    accepted: () => {
      hasWait = false
      isMisdated = false
      hasObeyed = false
    },
  }
}

/**
 * So soon after the refusal of one instance, others need not know of it: milliseconds. It takes time to store and read a wait,
 * and to make the first call of a process: 280 ms, measured with twelve of Node on two busy cores.
 */
const sharingMs = 500

/** Judges calls that are early only because another instance of the client was refused. */
export function judgeSharedWaits(note: Note, onOpen: EarlyOptions['onOpen']): Judge {
  let wait: Wait | undefined
  return call => {
    const { exchange, standing } = call
    const { connection, receivedAt } = exchange.call
    if (isAccepted(exchange)) wait = undefined
    if (!isRefused(exchange)) return
    const demanded = demandedWait(call)
    const going = wait === undefined || isOver(wait, exchange) || isGone(wait, exchange) ? undefined : wait
    const told = [...(going?.knownBy ?? [])].find(
      ([other, said]) =>
        other?.instance !== connection?.instance &&
        hasArrived(said.delivery, receivedAt - sharingMs) &&
        !isOver(said, exchange),
    )
    // If its own refusals speak against the call, it is judged already.
    if (going !== undefined && told !== undefined && standing === 'free') {
      if (isMisdated(going, exchange)) onOpen(misdatedReason(exchange))
      else {
        const remark = earlyRemark('called-while-limited', call, going, demanded)
        const who = `; instance ${told[0]?.instance} was refused before, and this one was not`
        note({ ...remark, detail: count => `${remark.detail(count)}${who}` })
      }
    }
    wait = demanded && going ? prolong(going, demanded) : demanded
  }
}
