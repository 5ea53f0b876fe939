import { constants } from 'node:os'
import type { Io } from '../terminal/io.ts'

/** Under npm, one Ctrl+C arrives twice. A person needs longer, in milliseconds. */
const echoMs = 50

/** What ends the commands of clients: they run in process groups of their own, so the terminal's Ctrl+C does not reach them. */
export interface StopSignals {
  /** Aborts at the first signal: end the commands. */
  readonly stop: AbortSignal
  /** Aborts at the second: kill them. */
  readonly hurry: AbortSignal
  /** The exit code for pet-mock, once a signal came. */
  readonly exitCode: () => number | undefined
}

export function stopOnSignals({ onSignal }: Pick<Io, 'onSignal'>): StopSignals {
  const stop = new AbortController()
  const hurry = new AbortController()
  let first: { readonly exitCode: number; readonly at: number } | undefined
  onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], signal => {
    const at = performance.now()
    if (first === undefined) {
      first = { exitCode: 128 + constants.signals[signal], at }
      stop.abort()
    } else if (at - first.at > echoMs) hurry.abort()
  })
  return { stop: stop.signal, hurry: hurry.signal, exitCode: () => first?.exitCode }
}
