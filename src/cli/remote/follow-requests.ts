import { EventSourceParserStream } from 'eventsource-parser/stream'
import { defaultSandbox } from '../../emulator/worlds/sandboxes.ts'
import type { RequestView } from '../../judges/inspection/view.ts'
import { PetMockError } from '../../library/client/pet-mock-error.ts'
import { jsonLine } from '../terminal/json-line.ts'
import type { RequestList } from './list-requests.ts'
import type { Session } from './on-server.ts'

type Filter = Readonly<Record<string, unknown>>

/** By sandbox, the id of its newest request. */
type Newest = Readonly<Record<string, number>>

/**
 * Tells of the newest requests and then of each that comes. Resolves when nobody reads any more; rejects when the server
 * is gone.
 */
export async function follow(
  session: Session<unknown>,
  filter: Filter,
  limit: number | undefined,
  lines: (requests: readonly RequestView[]) => readonly string[],
): Promise<void> {
  const { io, json } = session
  const unread = new AbortController()
  io.stdout.on('error', () => unread.abort())
  const write = (requests: readonly RequestView[]) => {
    const texts = json ? requests.map(jsonLine) : lines(requests)
    if (texts.length > 0) io.stdout.write(`${texts.join('\n')}\n`)
  }
  const reader = createReader(session, filter, limit)
  try {
    // A reader that was too slow for the server is dropped, and goes on where it was.
    for (;;) {
      for await (const newest of watch(session, unread.signal)) write(await reader(newest))
    }
  } catch (error) {
    if (!unread.signal.aborted) throw error
  }
}

/** Gives what came since it was asked before, the oldest first. */
function createReader(
  { ask, sandbox = defaultSandbox }: Session<unknown>,
  filter: Filter,
  limit: number | undefined,
): (newest: Newest) => Promise<readonly RequestView[]> {
  const told = new Map<string, number>()
  let isFirst = true

  const list = async (query: Filter): Promise<readonly RequestView[]> => {
    try {
      const { requests } = await ask<RequestList>('GET', '/requests', undefined, { ...filter, ...query })
      for (const { sandbox, id } of requests) told.set(sandbox, Math.max(id, told.get(sandbox) ?? 0))
      return requests.toReversed()
    } catch (error) {
      // A sandbox is made by its first call, and may be dropped.
      if (error instanceof PetMockError && error.code === 'not_found') return []
      throw error
    }
  }

  return async newest => {
    const ours = Object.entries(newest).filter(([name]) => sandbox === '*' || name === sandbox)
    if (isFirst) {
      isFirst = false
      for (const [name, id] of ours) told.set(name, id)
      return await list({ sandbox, limit })
    }
    const found: RequestView[] = []
    for (const [name, id] of ours) {
      const after = told.get(name) ?? 0
      told.set(name, id)
      if (id > after) found.push(...(await list({ sandbox: name, after })))
    }
    return found
  }
}

/** What the events of the admin plane tell, until the stream ends. */
async function* watch({ admin, token }: Session<unknown>, signal: AbortSignal): AsyncGenerator<Newest> {
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
