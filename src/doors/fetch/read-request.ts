import { type Call, maxBody } from '../../service/call/call.ts'

/** Reads a web Request as a call. Rejects like `fetch`: with the signal's reason, or if the body was already read. */
export async function readRequest(request: Request, lane: number): Promise<Call> {
  const body = await readBody(request)
  request.signal.throwIfAborted()
  const { host, pathname, search, protocol } = new URL(request.url)
  const headers = [...request.headers].flat()
  return {
    method: request.method,
    target: `${pathname}${search}`,
    // A Request has its host in the URL, and rarely a Host header, too.
    headers: request.headers.has('host') ? headers : ['host', host, ...headers],
    body,
    scheme: protocol === 'https:' ? 'https' : 'http',
    client: '127.0.0.1',
    connection: lane,
    receivedAt: Date.now(),
  }
}

async function readBody(request: Request): Promise<Call['body']> {
  if (request.body === null) return undefined
  const body = new Uint8Array(await request.arrayBuffer())
  return body.length > maxBody ? 'too-large' : body
}

/** Numbers for concurrent calls: they stand for connections. `take` returns the last released number, or a new one. */
export function createLanes() {
  const free: number[] = []
  let made = 0
  return {
    take: (): number => {
      const lane = free.pop()
      if (lane !== undefined) return lane
      made += 1
      return made
    },
    release: (lane: number): void => {
      free.push(lane)
    },
  }
}
