import type { OnPetsMade } from '../../control/scenario/settle/settle-pets.ts'
import { groupDigits } from './group-digits.ts'
import type { TextStream } from './io.ts'

/** A start that takes less needs no progress line, in milliseconds. */
const patienceMs = 1_000

export interface Progress {
  readonly onPetsMade: OnPetsMade
  /** Removes the line from a terminal. */
  readonly done: () => void
}

/**
 * Reports the progress of generating many pets: a terminal gets one updated line, other streams get one line. Generating
 * is synchronous, so the callback is the only chance to write.
 */
export function createProgress(stderr: TextStream, now: () => number): Progress {
  const isTerminal = stderr.columns !== undefined
  const startedAt = now()
  let shown = ''
  return {
    onPetsMade: (made, count) => {
      if (now() - startedAt < patienceMs || (shown !== '' && !isTerminal)) return
      const text = `Generating ${groupDigits(count)} pets: ${Math.floor((made / count) * 100)} %`
      if (text === shown) return
      shown = text
      stderr.write(isTerminal ? `\r${text}` : `${text}\n`)
    },
    done: () => {
      if (shown !== '' && isTerminal) stderr.write('\r\x1b[K')
    },
  }
}
