import type { OnPetsMade } from '../../control/scenario/settle-pets.ts'
import { grouped } from './group-digits.ts'
import type { TextStream } from './io.ts'

/** How long nothing is said, in milliseconds: a start that is over sooner needs no explanation. */
const patienceMs = 1_000

export interface Progress {
  readonly onPetsMade: OnPetsMade
  /** Takes the line away again, where that can be done. */
  readonly done: () => void
}

/**
 * Tells how far the making of many pets has come: in a terminal on one line that is written anew, else once. Nothing
 * else runs meanwhile, so the callback is all that there is to write from.
 */
export function createProgress(stderr: TextStream, now: () => number): Progress {
  const isTerminal = stderr.columns !== undefined
  const startedAt = now()
  let told = ''
  return {
    onPetsMade: (made, count) => {
      if (now() - startedAt < patienceMs || (told !== '' && !isTerminal)) return
      const text = `Making ${grouped(count)} pets: ${Math.floor((made / count) * 100)} %`
      if (text === told) return
      told = text
      stderr.write(isTerminal ? `\r${text}` : `${text}\n`)
    },
    done: () => {
      if (told !== '' && isTerminal) stderr.write('\r\x1b[K')
    },
  }
}
