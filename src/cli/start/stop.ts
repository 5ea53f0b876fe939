import { exitCodes, type Io, type Signal } from '../terminal/io.ts'

/** How long running calls may still take, in milliseconds. */
const graceMs = 1_500

/** Under `npm start` one Ctrl+C arrives twice, from the terminal and from npm. A person needs longer, in milliseconds. */
const echoMs = 50

type OnSignal = (signal: Signal) => void

/** Calls `first` at the first signal and `again` at each later one. The result acts like a signal. */
function onStopSignals({ onSignal }: Pick<Io, 'onSignal'>, first: OnSignal, again: OnSignal): OnSignal {
  let askedAt: number | undefined
  const ask = (signal: Signal) => {
    const now = performance.now()
    if (askedAt === undefined) {
      askedAt = now
      first(signal)
    } else if (now - askedAt > echoMs) again(signal)
  }
  onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], ask)
  return ask
}

/**
 * `stopped` resolves after a signal, once everything is closed, with what `close` resolves with. A second signal ends the process immediately. `stop` acts
 * like a signal.
 */
export function untilStopped<Closed>(
  io: Pick<Io, 'onSignal' | 'exit'>,
  close: (graceMs: number) => Promise<Closed>,
): { readonly stopped: Promise<Closed>; readonly stop: () => void } {
  let stop = () => {}
  const stopped = new Promise<Closed>((resolve, reject) => {
    const begin = () => close(graceMs).then(resolve, reject)
    const ask = onStopSignals(io, begin, signal => io.exit(exitCodes[signal]))
    stop = () => ask('SIGINT')
  })
  return { stopped, stop }
}

/** What ends the commands of clients: they run in process groups of their own, so the terminal's Ctrl+C does not reach them. */
export type StopSignals = ReturnType<typeof stopOnSignals>

/** `stop` aborts at the first signal: end the commands; `hurry` at the second: kill them. `exitCode`: for pet-mock, once a signal came. */
export function stopOnSignals(io: Pick<Io, 'onSignal'>) {
  const stop = new AbortController()
  const hurry = new AbortController()
  let exitCode: number | undefined
  const begin = (signal: Signal) => {
    exitCode = exitCodes[signal]
    stop.abort()
  }
  onStopSignals(io, begin, () => hurry.abort())
  return { stop: stop.signal, hurry: hurry.signal, exitCode: () => exitCode }
}
