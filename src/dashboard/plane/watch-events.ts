import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { PlaneEvent, Watch } from './plane.ts'
import { PlaneError, refusalOf, unreachable } from './plane-error.ts'

/** A server sends a comment every 15 s. */
const quietMs = 40_000

/** Reads the event stream of a plane. `open` answers with the stream, until it is aborted. */
export function watchEvents(open: (signal: AbortSignal) => Promise<Response>): Watch {
  return (onEvent, onEnd) => {
    const stop = new AbortController()
    readEvents(open, stop.signal, onEvent).then(
      () => stop.signal.aborted || onEnd(undefined),
      error => stop.signal.aborted || onEnd(error instanceof PlaneError ? error : unreachable()),
    )
    return () => stop.abort()
  }
}

async function readEvents(
  open: (signal: AbortSignal) => Promise<Response>,
  stopped: AbortSignal,
  onEvent: (event: PlaneEvent) => void,
): Promise<void> {
  const quiet = new AbortController()
  const watchdog = () => setTimeout(() => quiet.abort(), quietMs)
  let timer = watchdog()
  try {
    const response = await open(AbortSignal.any([stopped, quiet.signal]))
    if (response.status !== 200 || response.body === null)
      throw refusalOf(response.status, await response.text())
    const heard = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (chunk, controller) => {
        clearTimeout(timer)
        timer = watchdog()
        controller.enqueue(chunk)
      },
    })
    const texts = response.body.pipeThrough(heard).pipeThrough(new TextDecoderStream())
    const reader = texts.pipeThrough(new EventSourceParserStream()).getReader()
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      onEvent(JSON.parse(next.value.data))
    }
  } finally {
    clearTimeout(timer)
  }
}
