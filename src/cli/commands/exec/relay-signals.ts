import type { Io, Signal } from '../../terminal/io.ts'

/** The time that the command has to end, before the next signal kills it, in milliseconds. */
const graceMs = 3_000
/** Within this time, ignore the same signal: npm repeats the signals of the process group. In milliseconds. */
const echoMs = 50

/**
 * Passes signals on to a command. If it still runs after the grace time, prints a notice, and kills it at the next
 * signal. `pass` sends a signal to the command. `notice` prints a text that follows its name. Returns a function that
 * stops this.
 *
 * Ignores a Ctrl+C, as system(3) of POSIX does: every process of the terminal gets it, the command included.
 */
export function relaySignals(
  { onSignal, isSentToAll }: Pick<Io, 'onSignal' | 'isSentToAll'>,
  pass: (signal: NodeJS.Signals) => void,
  notice: (text: string) => void,
): () => void {
  let first: { readonly signal: Signal; readonly at: number } | undefined
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const relay = (signal: Signal) => {
    const now = performance.now()
    if (isOver || isSentToAll(signal)) return
    if (first === undefined) {
      first = { signal, at: now }
      timer = setTimeout(() => {
        notice(`is still running ${graceMs / 1_000} s after ${signal}: the next signal kills it.`)
      }, graceMs)
      pass(signal)
    } else if (now - first.at >= graceMs) pass('SIGKILL')
    else if (signal !== first.signal || now - first.at > echoMs) pass(signal)
  }
  onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], relay)
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
