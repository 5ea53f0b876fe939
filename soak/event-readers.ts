import { createParser } from 'eventsource-parser'

/** What one reader of events knows. */
export interface EventReader {
  events: number
  readonly newest: Record<string, number>
  readonly stop: () => void
}

/** Reads the events of a server until it is stopped. */
export async function readEvents(origin: string): Promise<EventReader> {
  const stop = new AbortController()
  const { body } = await fetch(`${origin}/__admin/events`, { signal: stop.signal })
  const reader: EventReader = { events: 0, newest: {}, stop: () => stop.abort() }
  const parser = createParser({
    onEvent: ({ data }) => {
      reader.events += 1
      Object.assign(reader.newest, (JSON.parse(data) as { newest: Record<string, number> }).newest)
    },
  })
  const read = async () => {
    if (body === null) return
    for await (const text of body.pipeThrough(new TextDecoderStream())) parser.feed(text)
  }
  // It ends with an error when it is stopped, or when the server ends the stream; the ids show whether it missed any.
  read().catch(() => {})
  return reader
}
