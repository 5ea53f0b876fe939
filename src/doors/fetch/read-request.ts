import { type Call, type Connection, maxBody } from '../../service/call/call.ts'

/** Reads a web Request as a call. Rejects like `fetch`: with the signal's reason, or if the body was already read. */
export async function readRequest(request: Request, lane: Connection): Promise<Call> {
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
