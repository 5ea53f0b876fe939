import { type Call, maxBody } from '../../service/call/call.ts'

/** A web Request as a call, under way on a lane. Rejects as fetch would: with the reason of a signal, or when the body was read already. */
export async function readRequest(request: Request, lane: number): Promise<Call> {
  const body = await readBody(request)
  request.signal.throwIfAborted()
  const { host, pathname, search, protocol } = new URL(request.url)
  const headers = [...request.headers].flat()
  return {
    method: request.method,
    target: `${pathname}${search}`,
    // A Request names its host in the URL, and has a Host header only where it was given by hand.
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
