import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { Doubts } from './doubts.ts'
import type { Note } from './observed-call.ts'
import { describeDialect, retryAfterText } from './retry-after-dialect.ts'

/** Judges the bans of a key for calling while it was rate limited. */
export function judgeBans(note: Note, doubts: Pick<Doubts, 'addMisdated'>) {
  /** Whether a client that waits by its own clock was refused again since the last accepted call. */
  let isMisdated = false
  /** Whether a client was refused again although it waited as long as a refusal said, such as 0 s. */
  let hasObeyed = false
  /** How the last refusal said when to retry, if a client may have failed to read it. */
  let dialect = ''
  return {
    misdated: () => {
      isMisdated = true
    },
    obeyed: () => {
      hasObeyed = true
    },
    /** `isFirst`: the client has had no refusal that says how long to wait. */
    refused: (exchange: Exchange, isFirst: boolean) => {
      const { gate, code, strikes } = exchange.trace
      const text = `refused call number ${strikes}${dialect}`
      dialect = describeDialect(retryAfterText(exchange.reply))
      // A scenario may start one strike before the ban: that ban is not the fault of this client.
      const isFault = !(isFirst && strikes > 1) && !hasObeyed
      if (gate !== 'limit' || code !== 'api_key_banned' || !isFault) return
      if (isMisdated) doubts.addMisdated()
      else note({ id: 'banned', exchange, detail: () => text })
    },
    accepted: () => {
      isMisdated = false
      hasObeyed = false
    },
  }
}
