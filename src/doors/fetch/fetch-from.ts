import { type Call, type Connection, type LateHandle, maxBody } from '../../service/call/call.ts'
import { deliver } from './deliver.ts'

/** Answers web Requests by a handler. */
export function createFetchDoor(handle: LateHandle): (request: Request) => Promise<Response> {
  // Node drops the signal of a collected request: without this, nobody could give up one that hangs.
  const underWay = new Set<Request>()
  const lanes = createLanes()
  return async request => {
    const lane = lanes.take()
    underWay.add(request)
    try {
      const reply = handle(await readRequest(request, lane))
      return await deliver(reply instanceof Promise ? await reply : reply, request)
    } finally {
      underWay.delete(request)
      lanes.release(lane, request.signal.aborted)
    }
  }
}

/** A `fetch` that calls a handler instead of the network. A network error rejects with a TypeError. */
export function fetchFrom(
  handle: LateHandle,
): (input: string | URL | Request, init?: RequestInit) => Promise<Response> {
  const answer = createFetchDoor(handle)
  return async (input, init) => {
    const response = await answer(new Request(input, init))
    if (response.type === 'error') throw new TypeError('fetch failed')
    return response
  }
}

/** Reads a web Request as a call. Rejects like `fetch`: with the signal's reason, or if the body was already read. */
async function readRequest(request: Request, lane: Connection): Promise<Call> {
  const bytes = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer())
  request.signal.throwIfAborted()
  const { host, pathname, search, protocol } = new URL(request.url)
  const headers = [...request.headers].flat()
  return {
    method: request.method,
    target: `${pathname}${search}`,
    // A Request has its host in the URL, and rarely a Host header, too.
    headers: request.headers.has('host') ? headers : ['host', host, ...headers],
    body: bytes !== undefined && bytes.length > maxBody ? 'too-large' : bytes,
    scheme: protocol === 'https:' ? 'https' : 'http',
    client: '127.0.0.1',
    connection: lane,
    receivedAt: Date.now(),
    order: performance.now(),
  }
}

/**
 * What stands for the connections of concurrent calls. `take` returns the last released one, or a new one. One whose client
 * gave up is closed.
 */
export function createLanes() {
  const free: Connection[] = []
  return {
    take: (): Connection => free.pop() ?? { opened: performance.now(), isLane: true },
    release: (lane: Connection, isGivenUp = false): void => {
      lane.replied ??= performance.now()
      if (isGivenUp) lane.closedAt = Date.now()
      else free.push(lane)
    },
  }
}
