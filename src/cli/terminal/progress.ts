import { groupDigits } from '../../base/text/quantities.ts'
import type { Io, TextStream } from './io.ts'
import { elideMiddle, printable } from './text.ts'

const clearLine = '\r\x1b[K'

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
    done: () => {
      if (shown !== '' && isTerminal) stderr.write(clearLine)
    },
  }
}

const barWidth = 30

/** A line that is replaced again and again. Only a terminal shows it. */
export function createStatusLine(stderr: TextStream) {
  const show = (text: string) => {
    if (stderr.columns !== undefined) stderr.write(clearLine + text)
  }
  return { show, clear: () => show('') }
}

/** A progress bar of the calls made so far, or of what the callback names. Only a terminal shows it. */
export function createCallBar(stderr: TextStream, most: number) {
  const { show, clear } = createStatusLine(stderr)
  return {
    onCall: (calls: number, what = 'calls') => {
      const full = Math.min(barWidth, Math.round((calls / most) * barWidth))
      show(`  ${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${calls} of at most ${most} ${what}`)
    },
    clear,
  }
}

/** Waits, with a countdown on a terminal and one line elsewhere. `why` says what for. */
export async function waitVisibly(ms: number, { stderr }: Pick<Io, 'stderr'>, what = ''): Promise<void> {
  const end = performance.now() + ms
  const isTerminal = stderr.columns !== undefined
  // With the seconds left, it fits into a line.
  const why = printable(elideMiddle(what, Math.max(20, (stderr.columns ?? Number.POSITIVE_INFINITY) - 24)))
  if (!isTerminal) stderr.write(`${`waiting for ${inSeconds(ms)} ${why}`.trimEnd()}\n`)
  for (let left = ms; left > 0; left = end - performance.now()) {
    if (isTerminal) stderr.write(`${clearLine}  ${`waiting ${why}`.trimEnd()}, ${inSeconds(left)} left`)
    await new Promise(resolve => setTimeout(resolve, Math.min(left, 1_000)))
  }
  if (isTerminal) stderr.write(clearLine)
}

/** `57 s`: nobody needs the milliseconds of a wait. */
function inSeconds(ms: number): string {
  return `${groupDigits(Math.ceil(ms / 1_000))} s`
}
