import type { Emulator } from '../../../emulator/emulator.ts'
import type { Waiting } from './waiting.ts'

/** How often it is looked whether anything has changed, in milliseconds: so often at most an event is sent. */
const lookEveryMs = 100
/** A comment that keeps the connection, where nothing changes for so long. */
const heartbeatMs = 15_000
/** A reader that has not taken so many events is dropped. */
const mostBehind = 16

/** What a stream is written to. */
interface Sink {
  /** How much more its reader wants; below 0, it is behind. */
  readonly desiredSize: number | null
  enqueue(chunk: Uint8Array): void
  close(): void
  error(reason: unknown): void
}

/**
 * Server-sent events: a number that grows with everything that happens, and the ids of the newest requests. It looks at
 * what is counted anyway, so that calls cost nothing for it, and nothing looks where nobody reads.
 */
export function openEventStream(emulator: Emulator, { signal, after }: Waiting): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const told = new Map<string, number>()
  let revision = -1
  let quietMs = 0
  let stopTimer = () => {}
  let stop = () => {}

  const start = (controller: Sink) => {
    const send = (text: string): boolean => {
      if ((controller.desiredSize ?? 0) < -mostBehind) {
        stop()
        controller.error(new Error('The reader of events is too slow.'))
        return false
      }
      controller.enqueue(encoder.encode(text))
      quietMs = 0
      return true
    }
    stop = () => {
      stopTimer()
      signal.removeEventListener('abort', end)
    }
    const end = () => {
      stop()
      controller.close()
    }
    const look = () => {
      const now = emulator.revision()
      quietMs += lookEveryMs
      let isOpen = true
      if (now !== revision) {
        revision = now
        const data = JSON.stringify({ revision, newest: newestOf(emulator, told) })
        isOpen = send(`id: ${revision}\ndata: ${data}\n\n`)
      } else if (quietMs >= heartbeatMs) isOpen = send(': nothing new\n\n')
      if (isOpen) stopTimer = after(lookEveryMs, look)
    }
    if (signal.aborted) {
      controller.close()
      return
    }
    signal.addEventListener('abort', end)
    look()
  }
  return new ReadableStream({ start, cancel: () => stop() })
}

/** The newest id of each sandbox in which it is another than was told; 0: there is none. */
function newestOf({ sandboxes }: Emulator, told: Map<string, number>): Record<string, number> {
  const newest: Record<string, number> = {}
  for (const { sandbox, nextExchange } of sandboxes) {
    if (told.get(sandbox) === nextExchange) continue
    told.set(sandbox, nextExchange)
    newest[sandbox] = nextExchange - 1
  }
  return newest
}
