import type { Io, Signal } from '../../terminal/io.ts'

/** The time that the command has to end, before the next signal kills it, in milliseconds. */
const graceMs = 3_000
/** Within this time, ignore the same signal: npm repeats the signals of the process group. In milliseconds. */
const echoMs = 50
/** Ctrl+C is ordinary in a program that runs on. Only presses in a row mean that it should end, in milliseconds. */
const rowMs = 10_000

/**
 * Passes signals on to a command. If it still runs after the grace time, prints a notice, and kills it at the next
 * signal. `pass` sends a signal to the command. `notice` prints a text that follows its name. Returns a function that
 * stops this.
 *
 * Does not pass on a Ctrl+C, as system(3) of POSIX: every process of the terminal gets it, the command included. The
 * third in a row kills a command that ignores it.
 */
export function relaySignals(
  { onSignal, isSentToAll }: Pick<Io, 'onSignal' | 'isSentToAll'>,
  pass: (signal: NodeJS.Signals) => void,
  notice: (text: string) => void,
): () => void {
  let first: { readonly signal: Signal; readonly at: number } | undefined
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  let typed = { count: 0, at: Number.NEGATIVE_INFINITY }
  const countTyped = (now: number) => {
    const gap = now - typed.at
    if (gap <= echoMs) return
    typed = { count: gap <= rowMs ? typed.count + 1 : 1, at: now }
    if (typed.count === 2) notice('is still running: a third Ctrl+C kills it.')
    if (typed.count >= 3) pass('SIGKILL')
  }
  const relay = (signal: Signal) => {
    const now = performance.now()
    if (isOver) return
    if (isSentToAll(signal)) countTyped(now)
    else if (first === undefined) {
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
