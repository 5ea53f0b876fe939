import { EventSourceParserStream } from 'eventsource-parser/stream'
import { type Connect, PlaneError, type PlaneEvent, refusalOf, unreachable } from './plane.ts'

/** A server sends a comment every 15 s. */
const quietMs = 40_000

/** The plane of a server. `base`: its URL with a slash at its end. The token goes in a header only. */
export function createFar(base: string, token: () => string | undefined): Connect {
  const ask = (method: string, target: string, init: RequestInit = {}) => {
    const secret = token()
    // A browser sends no other characters in a header.
    if (secret !== undefined && !/^[\x21-\x7e]+$/.test(secret)) {
      const message =
        'This is not the token: a token has only letters, digits and signs of ASCII, and no spaces.'
      throw new PlaneError(401, 'invalid_admin_token', message)
    }
    const headers = {
      ...(typeof init.body === 'string' && { 'Content-Type': 'application/json' }),
      ...(secret !== undefined && { Authorization: `Bearer ${secret}` }),
    }
    return fetch(base + target.replace(/^\//, ''), { ...init, method, headers, cache: 'no-store' })
  }
  return {
    send: async (method, target, body) => {
      try {
        const response = await ask(method, target, body === undefined ? {} : { body })
        return { status: response.status, text: await response.text() }
      } catch (error) {
        throw error instanceof PlaneError ? error : unreachable()
      }
    },
    watch: (onEvent, onEnd) => {
      const stop = new AbortController()
      readEvents(signal => ask('GET', '/events', { signal }), stop.signal, onEvent).then(
        () => stop.signal.aborted || onEnd(undefined),
        error => stop.signal.aborted || onEnd(error instanceof PlaneError ? error : unreachable()),
      )
      return () => stop.abort()
    },
  }
}

/** Reads the event stream of a plane. `open` answers with the stream, until it is aborted. */
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
