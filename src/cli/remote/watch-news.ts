import { EventSourceParserStream } from 'eventsource-parser/stream'
import { isJsonObject } from '../../base/json/is-object.ts'
import { readJson } from '../../base/json/read.ts'
import { PetMockError } from '../../library/client/pet-mock-error.ts'
import { fetchServer } from '../start/fetch-server.ts'
import type { Session } from './session.ts'

export interface News {
  /** The run of the server. */
  readonly start: string | undefined
  /** The id of the newest request by sandbox. */
  readonly newest: Readonly<Record<string, number>>
}

/** The most characters of one event. Each has the ids of up to 1,000 sandboxes. */
const longestEvent = 1_048_576

/** A server sends a comment every 15 s. */
const quietMs = 60_000

/** The stream is not the one of an admin plane. */
class NoEvents extends Error {}

/** Yields the newest ids whenever requests arrive, until the event stream ends. */
export async function* watchNews({ admin, values }: Session, signal: AbortSignal): AsyncGenerator<News> {
  const token = values['admin-token']
  const headers = { ...(token !== undefined && { Authorization: `Bearer ${token}` }) }
  const quiet = new AbortController()
  const watch = setTimeout(() => quiet.abort(new NoEvents('it is silent')), quietMs)
  try {
    const stop = AbortSignal.any([signal, quiet.signal])
    const { body } = await fetchServer(`${admin}/events`, { headers, signal: stop, redirect: 'manual' })
    if (body === null) return
    const texts = body.pipeThrough(new TextDecoderStream()).pipeThrough(limitEvents(() => watch.refresh()))
    for await (const { data } of texts.pipeThrough(new EventSourceParserStream())) yield readNews(data)
  } catch (error) {
    if (signal.aborted) throw error
    const what = error instanceof NoEvents ? `is not pet-mock: ${error.message}` : 'has stopped'
    throw new PetMockError('unreachable', `The server at ${admin} ${what}.`, { cause: error })
  } finally {
    clearTimeout(watch)
  }
}

/** Fails on an event without an end. `onText` is called for each part that comes. */
function limitEvents(onText: () => void): TransformStream<string, string> {
  let length = 0
  return new TransformStream({
    transform: (text, controller) => {
      onText()
      const end = text.lastIndexOf('\n\n')
      length = end === -1 ? length + text.length : text.length - end
      if (length > longestEvent) throw new NoEvents('an event does not end')
      controller.enqueue(text)
    },
  })
}

function readNews(data: string): News {
  const reading = readJson(data)
  const event = 'value' in reading && isJsonObject(reading.value) ? reading.value : {}
  if (!isJsonObject(event.newest)) throw new NoEvents('its events have no ids of requests')
  const newest = Object.entries(event.newest).map(([name, id]) => [name, Number(id)] as const)
  return {
    start: typeof event.start === 'string' ? event.start : undefined,
    newest: Object.fromEntries(newest),
  }
}
