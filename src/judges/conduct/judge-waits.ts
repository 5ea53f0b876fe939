import { isRefused } from '../../emulator/journal/exchange.ts'
import { BoundedMap } from './bounded-map.ts'
import { type ConductId, seconds } from './checks.ts'
import type { Judge, Note, ObservedCall, Portion } from './observed-call.ts'
import { demandedWait, isInFlight, isOver, prolong, type Wait } from './wait.ts'

const mostWatched = 500

/**
 * Judges early retries, other calls while the key is rate limited, calls during a ban, and bans. The wait of a limit is for
 * the key; the wait of an injected response is for its call. `onWait` receives every wait.
 */
export function judgeWaits(note: Note, onWait: (wait: Wait) => void, portion: Portion): Judge {
  let ofKey: Wait | undefined
  /** The fingerprints that were refused during the key's wait. */
  const refused = new Set<number>()
  const ofCalls = new BoundedMap<number, Wait>(mostWatched, { portion })

  const noteEarly = (id: ConductId, { exchange }: ObservedCall, end: number) => {
    const early = end - exchange.call.receivedAt
    const wait = id === 'call-during-ban' ? 'the ban' : 'Retry-After'
    note({ id, exchange, size: early, detail: () => `${seconds(early)} before ${wait} was over` })
  }

  const judgeRefused = (call: ObservedCall, demanded: Wait | undefined) => {
    const { exchange, fingerprint } = call
    const { trace } = exchange
    const known = ofKey
    const isWaiting = known !== undefined && !isOver(known, exchange)
    if (isWaiting && !isInFlight(known, exchange.call)) {
      const again = refused.has(fingerprint) ? 'early-retry' : 'called-while-limited'
      const end = Math.min(known.clientUntil, demanded?.clientUntil ?? known.clientUntil)
      noteEarly(known.isBan ? 'call-during-ban' : again, call, end)
    }
    // A scenario may start one strike before the ban: that ban is not the fault of this client.
    const isOwn = known !== undefined || trace.strikes <= 1
    if (trace.gate === 'limit' && trace.code === 'api_key_banned' && isOwn)
      note({ id: 'banned', exchange, detail: () => `refused call number ${trace.strikes}` })
    if (!isWaiting) refused.clear()
    if (refused.size < mostWatched * portion()) refused.add(fingerprint)
    ofKey = demanded !== undefined && isWaiting ? prolong(known, demanded) : demanded
    if (ofKey !== undefined) onWait(ofKey)
  }

  return call => {
    const { exchange, fingerprint } = call
    const demanded = demandedWait(exchange)
    if (isRefused(exchange)) {
      judgeRefused(call, demanded)
      return
    }
    // An accepted call clears the strikes of its key (A10).
    if (exchange.trace.limit?.accepted ?? exchange.reply.status < 400) {
      ofKey = undefined
      refused.clear()
    }
    const own = ofCalls.get(fingerprint)
    if (own !== undefined && !isOver(own, exchange) && !isInFlight(own, exchange.call))
      noteEarly('early-retry', call, own.clientUntil)
    ofCalls.delete(fingerprint)
    // A client that asks for a response by Prefer may ask again at any time.
    if (demanded === undefined || exchange.trace.gate === 'prefer') return
    ofCalls.set(fingerprint, demanded)
    onWait(demanded)
  }
}
