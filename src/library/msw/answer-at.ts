import { type HttpHandler, http } from 'msw'
import { createDeliver } from '../../doors/fetch/deliver.ts'
import { createLanes, readRequest } from '../../doors/fetch/read-request.ts'
import type { Call, Reply } from '../../service/call/call.ts'
import type { Mount } from './mount.ts'

/** The MSW door: reads calls and writes replies. */
export function answerAt(mount: Mount, handle: (call: Call) => Reply | Promise<Reply>): HttpHandler {
  const deliver = createDeliver()
  const lanes = createLanes()
  const answer = async (request: Request): Promise<Response> => {
    const lane = lanes.take()
    try {
      const call = await readRequest(request, lane)
      const reply = await handle({ ...call, target: mount.inside(call.target) })
      return await deliver({ ...reply, headers: mount.outside(reply.headers) }, request)
    } finally {
      lanes.release(lane, request.signal.aborted)
    }
  }
  return http.all(mount.pattern, async ({ request }) => {
    try {
      return await answer(request)
    } catch (error) {
      // The client already has the reason. MSW would print the error.
      if (request.signal.aborted) return Response.error()
      throw error
    }
  })
}
