import { exitCodes, type Io } from '../terminal/io.ts'

/** How long running calls may still take, in milliseconds. */
const graceMs = 1_500

/** Under `npm start` one Ctrl+C arrives twice, from the terminal and from npm. A person needs longer, in milliseconds. */
const echoMs = 50

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
    let askedAt: number | undefined
    const ask = (signal: 'SIGINT' | 'SIGTERM') => {
      if (askedAt === undefined) {
        askedAt = performance.now()
        close(graceMs).then(resolve, reject)
      } else if (performance.now() - askedAt > echoMs) {
        io.exit(exitCodes[signal])
      }
    }
    io.onSignal(['SIGINT', 'SIGTERM'], ask)
    stop = () => ask('SIGINT')
  })
  return { stopped, stop }
}
