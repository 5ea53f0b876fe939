import type { Io, Signal } from '../../terminal/io.ts'

export interface RelayOptions extends Pick<Io, 'onSignal' | 'isSentToAll'> {
  /** Sends a signal to the command. */
  readonly pass: (signal: NodeJS.Signals) => void
  /** Tells a person of the command: what follows its name. */
  readonly tell: (text: string) => void
}

/** How long the command has for what it does at its end, until the next signal kills it, in milliseconds. */
const graceMs = 3_000
/** Within this, the same signal again is the same one: npm passes on what the process group has got already. */
const echoMs = 50

/**
 * Passes signals on to a command, which ends when it likes. If it is still there after a while, that is told, and the
 * next signal kills it. Returns what ends this.
 *
 * A Ctrl+C goes to every process of its terminal: the command has it, and may end by it or, as a REPL does, not. Here it
 * is ignored, as by system(3) of POSIX.
 */
export function relaySignals({ onSignal, isSentToAll, pass, tell }: RelayOptions): () => void {
  let first: { readonly signal: Signal; readonly at: number } | undefined
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const relay = (signal: Signal) => {
    const now = performance.now()
    if (isOver || isSentToAll(signal)) return
    if (first === undefined) {
      first = { signal, at: now }
      timer = setTimeout(() => {
        tell(`is still running ${graceMs / 1_000} s after ${signal}: the next signal kills it.`)
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
