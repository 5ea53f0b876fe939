import type { Reply } from '../../service/call/call.ts'
import { firstHalf, slowPauseMs, slowPieces } from '../../service/call/fault.ts'
import { wait } from './wait.ts'

/**
 * A reply as a web Response, at the time and in the way that the reply asks for. Where nothing comes of it, it is a
 * network error (`Response.error()`): a connection that is reset and one that is closed look the same to `fetch`.
 * Rejects with the reason of the request's signal when it is given up before.
 */
export type Deliver = (reply: Reply, request: Request) => Promise<Response>

export function createDeliver(): Deliver {
  // Of a request that is forgotten, Node forgets the signal too: one that hangs could not be given up any more.
  const underWay = new Set<Request>()
  return async (reply, request) => {
    underWay.add(request)
    try {
      return await deliver(reply, request)
    } finally {
      underWay.delete(request)
    }
  }
}

const deliver: Deliver = async (reply, request) => {
  await wait(reply.delayMs ?? 0, request)
  const { status, fault } = reply
  if (fault === 'reset' || fault === 'empty') return Response.error()
  if (fault === 'hang') await wait(Number.POSITIVE_INFINITY, request)
  const headers = { ...reply.headers }
  if (!reply.body) return new Response(null, { status, headers })
  // Bytes, since a Response gives a text a Content-Type of its own where the reply has none.
  const body = new TextEncoder().encode(reply.body)
  if (fault === 'truncate') return new Response(cutOff(firstHalf(body)), { status, headers })
  if (fault === 'slow') return new Response(drip(slowPieces(body), request), { status, headers })
  return new Response(body, { status, headers })
}

type Pull = (controller: ReadableStreamDefaultController<Uint8Array>, index: number) => void | Promise<void>

/** A stream that makes a piece when one is asked for, and not before: what is in its queue is lost when it fails. */
function streamOf(pull: Pull): ReadableStream<Uint8Array> {
  let index = 0
  return new ReadableStream<Uint8Array>(
    {
      pull: controller => {
        index += 1
        return pull(controller, index - 1)
      },
    },
    { highWaterMark: 0 },
  )
}

function cutOff(half: Uint8Array): ReadableStream<Uint8Array> {
  return streamOf((controller, index) => {
    if (index === 0 && half.length > 0) controller.enqueue(half)
    else controller.error(new TypeError('terminated'))
  })
}

function drip(pieces: readonly Uint8Array[], request: Request): ReadableStream<Uint8Array> {
  return streamOf(async (controller, index) => {
    if (index > 0) await wait(slowPauseMs, request)
    const piece = pieces[index]
    if (piece !== undefined) controller.enqueue(piece)
    if (index >= pieces.length - 1) controller.close()
  })
}
