import type { Emulator } from '../../../emulator/emulator.ts'
import { maxSandboxes } from '../../../emulator/worlds/sandboxes.ts'
import type { Waiting } from './read-body.ts'

/** Milliseconds between looks for changes, which limits the rate of events. */
const lookEveryMs = 100
/** Milliseconds without a change until a comment keeps the connection open. */
const heartbeatMs = 15_000
/** So many events wait for a reader at most: the next one closes its connection. */
const mostWaiting = 16

/**
 * Server-sent events: a revision that grows with every change, the changes that no call made, and the ids of the newest
 * requests. It polls existing counters, and only while somebody reads, so that it costs calls nothing.
 */
export function openEventStream(
  { emulator, start: run }: { readonly emulator: Emulator; readonly start: string },
  { signal, after }: Pick<Waiting, 'signal' | 'after'>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const sent = new Map<string, number>()
  let revision = -1
  let quietMs = 0
  let stop = () => {}

  const nextEvent = (): string | undefined => {
    const now = emulator.revision()
    quietMs += lookEveryMs
    if (now !== revision) {
      revision = now
      const data = JSON.stringify({
        start: run,
        revision,
        changes: emulator.changes(),
        newest: newestOf(emulator, sent),
      })
      // A revision alone would repeat after a restart.
      return `id: ${run}-${revision}\ndata: ${data}\n\n`
    }
    return quietMs >= heartbeatMs ? ': nothing new\n\n' : undefined
  }
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (signal.aborted) {
      controller.close()
      return
    }
    let stopTimer = () => {}
    const end = () => {
      stop()
      controller.close()
    }
    stop = () => {
      stopTimer()
      signal.removeEventListener('abort', end)
    }
    const look = () => {
      const event = nextEvent()
      if (event !== undefined) {
        // A stream wants one more while none waits.
        if (1 - (controller.desiredSize ?? 1) >= mostWaiting) {
          stop()
          controller.error(new Error('The reader of events is too slow.'))
          return
        }
        controller.enqueue(encoder.encode(event))
        quietMs = 0
      }
      stopTimer = after(lookEveryMs, look)
    }
    signal.addEventListener('abort', end)
    look()
  }
  return new ReadableStream({ start, cancel: () => stop() })
}

/** The newest id of each sandbox whose id changed since the last event; 0: the sandbox has no requests. */
function newestOf({ sandboxes }: Emulator, sent: Map<string, number>): Record<string, number> {
  // Sandboxes come and go without end.
  if (sent.size > 2 * maxSandboxes)
    for (const name of sent.keys()) if (sandboxes.get(name) === undefined) sent.delete(name)
  const newest: Record<string, number> = {}
  for (const { sandbox, nextExchange } of sandboxes) {
    if (sent.get(sandbox) === nextExchange) continue
    sent.set(sandbox, nextExchange)
    newest[sandbox] = nextExchange - 1
  }
  return newest
}
