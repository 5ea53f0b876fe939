import { EventSourceParserStream } from 'eventsource-parser/stream'
import { defaultSandbox } from '../../emulator/worlds/sandboxes.ts'
import type { RequestView } from '../../judges/inspection/view.ts'
import { PetMockError } from '../../library/client/pet-mock-error.ts'
import { jsonLine } from '../terminal/json-line.ts'
import type { Session } from './session.ts'

type Filter = Readonly<Record<string, unknown>>

/** The answer of the admin plane, newest first. */
export interface RequestList {
  readonly requests: readonly RequestView[]
  readonly meta: { readonly total: number; readonly kept: number; readonly evicted: number }
}

/** The id of the newest request by sandbox. */
type Newest = Readonly<Record<string, number>>

/** Prints the newest requests, then each new one. Resolves when stdout is closed; rejects when the server stops. */
export async function follow(
  session: Session,
  filter: Filter,
  limit: number | undefined,
  toLines: (requests: readonly RequestView[]) => readonly string[],
): Promise<void> {
  const { io, values } = session
  const closed = new AbortController()
  io.stdout.on('error', () => closed.abort())
  const write = (requests: readonly RequestView[]) => {
    const texts = values.json ? requests.map(jsonLine) : toLines(requests)
    if (texts.length > 0) io.stdout.write(`${texts.join('\n')}\n`)
  }
  const readNew = createReader(session, filter, limit)
  try {
    // The server drops a reader that is too slow: connect again and continue.
    for (;;) {
      for await (const newest of watchNewest(session, closed.signal)) write(await readNew(newest))
    }
  } catch (error) {
    if (!closed.signal.aborted) throw error
  }
}

/** Returns a function that lists the requests since its last call, oldest first. */
function createReader(
  { ask, values: { sandbox = defaultSandbox } }: Session,
  filter: Filter,
  limit: number | undefined,
): (newest: Newest) => Promise<readonly RequestView[]> {
  const printed = new Map<string, number>()
  let isFirst = true

  const list = async (query: Filter): Promise<readonly RequestView[]> => {
    try {
      const { requests } = await ask<RequestList>('GET', '/requests', undefined, { ...filter, ...query })
      for (const { sandbox, id } of requests) printed.set(sandbox, Math.max(id, printed.get(sandbox) ?? 0))
      return requests.toReversed()
    } catch (error) {
      // The sandbox does not exist yet, or was dropped.
      if (error instanceof PetMockError && error.code === 'not_found') return []
      throw error
    }
  }

  return async newest => {
    const ours = Object.entries(newest).filter(([name]) => sandbox === '*' || name === sandbox)
    if (isFirst) {
      isFirst = false
      for (const [name, id] of ours) printed.set(name, id)
      return await list({ sandbox, limit })
    }
    const found: RequestView[] = []
    for (const [name, id] of ours) {
      const after = printed.get(name) ?? 0
      printed.set(name, id)
      if (id > after) found.push(...(await list({ sandbox: name, after })))
    }
    return found
  }
}

/** Yields the newest ids whenever requests arrive, until the event stream ends. */
async function* watchNewest({ admin, values }: Session, signal: AbortSignal): AsyncGenerator<Newest> {
  const token = values['admin-token']
  const headers = { ...(token !== undefined && { Authorization: `Bearer ${token}` }) }
  try {
    const { body } = await fetch(`${admin}/events`, { headers, signal })
    if (body === null) return
    const events = body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
    for await (const { data } of events) yield JSON.parse(data).newest
  } catch (error) {
    if (signal.aborted) throw error
    throw new PetMockError('unreachable', `The server at ${admin} has stopped.`, { cause: error })
  }
}
