import type { Exchange } from '../../emulator/journal/exchange.ts'
import type { Note } from './observed-call.ts'
import { describeForm, retryAfterText } from './retry-after-form.ts'

/** Judges the bans of a key for calling while it was rate limited. `onOpen`: its client may have waited by its own clock. */
export function judgeBans(note: Note, onOpen: (exchange: Exchange) => void) {
  /** Whether a client that waits by its own clock was refused again since the last accepted call. */
  let isMisdated = false
  /** Whether a client was refused again although it waited as long as a refusal said, such as 0 s. */
  let hasObeyed = false
  /** How the last refusal said when to retry, if a client may have failed to read it. */
  let form = ''
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
      const text = `refused call number ${strikes}${form}`
      form = describeForm(retryAfterText(exchange.reply))
      // A scenario may start one strike before the ban: that ban is not the fault of this client.
      const isFault = !(isFirst && strikes > 1) && !hasObeyed
      if (gate !== 'limit' || code !== 'api_key_banned' || !isFault) return
      if (isMisdated) onOpen(exchange)
      else note({ id: 'banned', exchange, detail: () => text })
    },
    accepted: () => {
      isMisdated = false
      hasObeyed = false
    },
  }
}
