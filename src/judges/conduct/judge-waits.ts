import { BoundedMap } from '../../base/bounded-map.ts'
import { type Exchange, isRefused } from '../../emulator/journal/exchange.ts'
import { type ConductId, seconds } from './checks.ts'
import type { Doubts } from './doubts.ts'
import { judgeBans } from './judge-bans.ts'
import type { Note, ObservedCall, Portion, Remark } from './observed-call.ts'
import { describeDialect } from './retry-after-dialect.ts'
import type { Suspicions } from './suspicions.ts'
import { demandedWait, isMisdated, isOver, knowledgeOf, prolong, type Wait } from './wait.ts'

const mostWatched = 500

/**
 * Judges early retries, other calls while the key is rate limited, calls during a ban, and bans. The wait of a limit is for
 * the key; the wait of an injected response is for its call. `onWait` receives every wait.
 */
export function judgeWaits(options: WaitOptions) {
  const { note, suspicions } = options
  const key = judgeKeyWaits(options)
  const judgeOwn = judgeOwnWaits(options)
  return {
    judge: (call: ObservedCall) => {
      if (isRefused(call.exchange)) key.refused(call)
      else {
        // An accepted call clears the strikes of its key (A10).
        const { trace, reply } = call.exchange
        if (trace.limit?.accepted ?? reply.status < 400) key.accepted()
        judgeOwn(call)
      }
      suspicions.see(call.fingerprint, call.exchange.call.receivedAt)
    },
    /** Notes a remark, unless the call is not known to be an early one: then when that is known. */
    note: (remark: Remark) => {
      if (!suspicions.add(remark)) note(remark)
    },
  }
}

interface WaitOptions {
  readonly note: Note
  readonly doubts: Pick<Doubts, 'addDate' | 'addMisdated' | 'addQueued' | 'addCrowd'>
  readonly suspicions: Suspicions
  readonly onWait: (wait: Wait) => void
  readonly portion: Portion
}

/** Judges the refusals of a limit or a ban, whose wait is for every call of the key. */
function judgeKeyWaits({ note, doubts, suspicions, onWait, portion }: WaitOptions) {
  let wait: Wait | undefined
  /** The fingerprints that were refused during the wait. */
  const refused = new Set<number>()
  const bans = judgeBans(note, doubts)
  const nameOf = ({ from }: Wait) => `key ${from}`

  const judgeEarly = (call: ObservedCall, known: Wait, demanded: Wait | undefined) => {
    const knowledge = knowledgeOf(known, call)
    const again = refused.has(call.fingerprint) ? 'early-retry' : 'called-while-limited'
    const id = known.bannedFrom === undefined ? again : 'call-during-ban'
    const end = Math.min(known.clientUntil, demanded?.clientUntil ?? Infinity)
    const remark = earlyRemark(id, call, known, end)
    if (knowledge === 'queued') doubts.addQueued()
    else if (knowledge === 'new') doubts.addCrowd()
    else if (knowledge !== 'no' && isMisdated(known, call.exchange)) {
      doubts.addMisdated()
      bans.misdated()
    } else if (knowledge === 'yes') note(remark)
    suspicions.refused(nameOf(known), call, knowledge === 'perhaps' ? remark : undefined)
  }

  return {
    refused: (call: ObservedCall) => {
      const { exchange, fingerprint } = call
      const known = wait
      const demanded = demandedWait(call)
      if (demanded !== undefined && isMisdated(demanded, exchange)) doubts.addDate(exchange.scale)
      if (exchange.scale === 0) doubts.addDate(0)
      const isWaiting = known !== undefined && !isOver(known, exchange)
      if (isWaiting) judgeEarly(call, known, demanded)
      else {
        if (known !== undefined) suspicions.over(nameOf(known))
        if (demanded !== undefined) suspicions.refused(nameOf(demanded), call)
        if (known !== undefined && exchange.scale === 0) bans.misdated()
        else if (known !== undefined && isTooShort(known, exchange)) bans.obeyed()
        refused.clear()
      }
      bans.refused(exchange, known === undefined)
      if (refused.size < mostWatched * portion()) refused.add(fingerprint)
      wait = demanded !== undefined && isWaiting ? prolong(known, demanded) : demanded
      if (wait !== undefined) onWait(wait)
    },
    accepted: () => {
      if (wait !== undefined) suspicions.over(nameOf(wait))
      wait = undefined
      refused.clear()
      bans.accepted()
    },
  }
}

/** True if a client waited as long as a refusal said, such as 0 s, and the limit went on. */
function isTooShort({ clientUntil, until }: Wait, { at, call }: Exchange): boolean {
  return call.receivedAt >= clientUntil && at < until
}

/** Judges injected 429 and 503 with `Retry-After`, whose wait is for the same call. */
function judgeOwnWaits({ note, doubts, suspicions, onWait, portion }: WaitOptions) {
  const waits = new BoundedMap<number, Wait>(mostWatched, { portion })
  return (call: ObservedCall) => {
    const { exchange, fingerprint } = call
    const demanded = demandedWait(call)
    const known = waits.get(fingerprint)
    const nameOf = ({ from }: Wait) => `${fingerprint} ${from}`
    const isWaiting = known !== undefined && !isOver(known, exchange)
    const knowledge = isWaiting && !isMisdated(known, exchange) ? knowledgeOf(known, call) : 'no'
    if (knowledge === 'queued' && demanded !== undefined) doubts.addQueued()
    if (isWaiting && (knowledge === 'yes' || knowledge === 'perhaps')) {
      const remark = earlyRemark('early-retry', call, known, known.clientUntil)
      if (knowledge === 'yes') note(remark)
      else suspicions.refused(nameOf(known), call, remark)
    } else if (isWaiting && demanded !== undefined) suspicions.refused(nameOf(known), call)
    else if (known !== undefined) suspicions.over(nameOf(known))
    waits.delete(fingerprint)
    // A client that asks for a response by Prefer may ask again at any time.
    if (demanded === undefined || exchange.trace.gate === 'prefer') return
    if (!isWaiting) suspicions.refused(nameOf(demanded), call)
    const wait = isWaiting ? prolong(known, demanded) : demanded
    waits.set(fingerprint, wait)
    onWait(wait)
  }
}

/** `known`: the wait that the client did not keep. */
function earlyRemark(id: ConductId, { exchange, actor }: ObservedCall, known: Wait, end: number): Remark {
  const early = Math.max(0, end - exchange.call.receivedAt)
  const wait = id === 'call-during-ban' ? 'the ban' : 'Retry-After'
  const told = known.knownBy.get(actor.id)
  const dialect = told === undefined ? '' : describeDialect(told.said)
  const isByOwnClock = known.skewedReset !== undefined && exchange.call.receivedAt >= known.skewedReset
  const skew = isByOwnClock
    ? '; X-RateLimit-Reset was over by the clock of the client, not of the service'
    : ''
  return {
    id,
    exchange,
    size: early,
    detail: () => `${seconds(early)} before ${wait} was over${dialect}${skew}`,
  }
}
