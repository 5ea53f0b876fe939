import { isRefused } from '../../emulator/journal/exchange.ts'
import { BoundedMap } from './bounded-map.ts'
import { seconds } from './checks.ts'
import type { Judge, Note, ObservedCall } from './observed-call.ts'
import { isInFlight, isOver, prolong, toldWait, type Wait } from './wait.ts'

const mostWatched = 500

/**
 * Early retries, other calls while the key is rate limited, calls during a ban, and bans. A limit holds for the key; a
 * wait that a rule made up, for the call that was told of it. `onWait` is told of each wait as it is told.
 */
export function judgeWaits(note: Note, onWait: (wait: Wait) => void): Judge {
  let ofKey: Wait | undefined
  /** What was refused since the key was told to wait. */
  const refused = new Set<string>()
  const ofCalls = new BoundedMap<string, Wait>(mostWatched)

  const judgeRefused = (seen: ObservedCall, wait: Wait, told: Wait | undefined) => {
    const { exchange, fingerprint } = seen
    const early = Math.min(wait.clientUntil, told?.clientUntil ?? wait.clientUntil) - exchange.call.receivedAt
    if (wait.isBan) {
      note({
        id: 'call-during-ban',
        exchange,
        size: early,
        detail: () => `${seconds(early)} before the ban was over`,
      })
    } else if (refused.has(fingerprint)) noteEarly(seen, early)
    else {
      const detail = () => `${seconds(early)} before Retry-After was over`
      note({ id: 'called-while-limited', exchange, size: early, detail })
    }
  }
  const noteEarly = ({ exchange }: ObservedCall, early: number) =>
    note({
      id: 'early-retry',
      exchange,
      size: early,
      detail: () => `${seconds(early)} before Retry-After was over`,
    })

  return seen => {
    const { exchange, fingerprint } = seen
    const { call, trace } = exchange
    const told = toldWait(exchange)
    const known = ofKey
    const isWaiting = known !== undefined && !isOver(known, exchange)
    if (isRefused(exchange)) {
      if (isWaiting && !isInFlight(known, call)) judgeRefused(seen, known, told)
      // A key that a scenario has left one strike from its ban was not brought there by this client.
      const isOwn = known !== undefined || trace.strikes <= 1
      if (trace.gate === 'limit' && trace.code === 'api_key_banned' && isOwn) {
        note({ id: 'banned', exchange, detail: () => `the refused call number ${trace.strikes}` })
      }
      if (!isWaiting) refused.clear()
      if (refused.size < mostWatched) refused.add(fingerprint)
      ofKey = told === undefined ? undefined : isWaiting ? prolong(known, told) : told
      if (ofKey !== undefined) onWait(ofKey)
      return
    }
    // An accepted call wipes what stands against the key (A10).
    if (trace.limit?.accepted ?? exchange.reply.status < 400) {
      ofKey = undefined
      refused.clear()
    }
    const own = ofCalls.get(fingerprint)
    if (own !== undefined && !isOver(own, exchange) && !isInFlight(own, call)) {
      noteEarly(seen, own.clientUntil - call.receivedAt)
    }
    ofCalls.delete(fingerprint)
    // Who asks for an answer by Prefer asks for it again when it likes.
    if (told !== undefined && trace.gate !== 'prefer') {
      ofCalls.set(fingerprint, told)
      onWait(told)
    }
  }
}
