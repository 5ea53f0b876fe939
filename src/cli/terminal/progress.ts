import type { TextStream } from './io.ts'
import { groupDigits } from './quantities.ts'

/** A start that takes less needs no progress line, in milliseconds. */
const patienceMs = 1_000

/**
 * Reports the progress of generating many pets: a terminal gets one updated line, other streams get one line. Generating
 * is synchronous, so the callback is the only chance to write.
 */
export function createProgress(stderr: TextStream, now: () => number) {
  const isTerminal = stderr.columns !== undefined
  const startedAt = now()
  let shown = ''
  return {
    onPetsMade: (made: number, count: number) => {
      if (now() - startedAt < patienceMs || (shown !== '' && !isTerminal)) return
      const text = `Generating ${groupDigits(count)} pets: ${Math.floor((made / count) * 100)} %`
      if (text === shown) return
      shown = text
      stderr.write(isTerminal ? `\r${text}` : `${text}\n`)
    },
    /** Removes the line from a terminal. */
    done: () => {
      if (shown !== '' && isTerminal) stderr.write('\r\x1b[K')
    },
  }
}
