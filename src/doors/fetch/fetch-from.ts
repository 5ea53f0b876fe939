import type { LateHandle } from '../../service/call/call.ts'
import { createDeliver } from './deliver.ts'
import { createLanes, readRequest } from './read-request.ts'

/** A `fetch` that calls a handler instead of the network. A network error rejects with a TypeError. */
export function fetchFrom(
  handle: LateHandle,
): (input: string | URL | Request, init?: RequestInit) => Promise<Response> {
  const deliver = createDeliver()
  const lanes = createLanes()
  return async (input, init) => {
    const request = new Request(input, init)
    const lane = lanes.take()
    try {
      const reply = handle(await readRequest(request, lane))
      const response = await deliver(reply instanceof Promise ? await reply : reply, request)
      if (response.type === 'error') throw new TypeError('fetch failed')
      return response
    } finally {
      lanes.release(lane, request.signal.aborted)
    }
  }
}
