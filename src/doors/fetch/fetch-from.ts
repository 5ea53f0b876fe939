import type { LateHandle } from '../../service/call/call.ts'
import { createDeliver } from './deliver.ts'
import { createLanes, readRequest } from './read-request.ts'

/** Answers web Requests by a handler. */
export function createFetchDoor(handle: LateHandle): (request: Request) => Promise<Response> {
  const deliver = createDeliver()
  const lanes = createLanes()
  return async request => {
    const lane = lanes.take()
    try {
      const reply = handle(await readRequest(request, lane))
      return await deliver(reply instanceof Promise ? await reply : reply, request)
    } finally {
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
