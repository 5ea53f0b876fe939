import type { Reply } from '../../service/call/call.ts'
import { type BodyPlan, type Fault, type FaultName, faultName, planBody } from '../../service/call/fault.ts'

/**
 * Makes a web Response of a reply, after its delay and with its fault. Without an answer it is a network error
 * (`Response.error()`): `fetch` does not distinguish a reset connection from a closed one.
 * Rejects with the reason of the request's signal if the client gives up.
 */
export async function deliver(reply: Reply, request: Request): Promise<Response> {
  await wait(reply.delayMs ?? 0, request)
  const { fault } = reply
  const broken = fault && breakers[faultName(fault)]
  return fault === undefined || broken === undefined
    ? respond(reply, bytes => bytes)
    : broken(reply, request, fault)
}

type Breaker = (reply: Reply, request: Request, fault: Fault) => Response | Promise<Response>

const networkError: Breaker = () => Response.error()

/** The emulator has already broken a `malformed` body. Without a connection, none can close late. */
const breakers: Readonly<Record<FaultName, Breaker | undefined>> = {
  reset: networkError,
  empty: networkError,
  truncate: (reply, _request, fault) =>
    respond(reply, body => cutOff(body.subarray(0, planBody(fault, body.length).bytes))),
  malformed: undefined,
  hang: async (reply, request, fault) => {
    const isTimed = typeof fault === 'object' && 'hang' in fault
    await wait(isTimed ? fault.hang.for : Number.POSITIVE_INFINITY, request)
    return networkError(reply, request, fault)
  },
  slow: (reply, request, fault) => respond(reply, body => drip(body, planBody(fault, body.length), request)),
  'slow-close': undefined,
}

function respond(
  { status, headers, body }: Reply,
  send: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
): Response {
  // Encode the text: a Response would add a Content-Type to a string.
  return new Response(body ? send(new TextEncoder().encode(body)) : null, { status, headers: { ...headers } })
}

/** A stream that makes each piece on demand: pieces in its queue would be lost when it fails. */
function streamOf(
  pull: (controller: ReadableStreamDefaultController<Uint8Array>, index: number) => void | Promise<void>,
): ReadableStream<Uint8Array> {
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

function cutOff(part: Uint8Array): ReadableStream<Uint8Array> {
  return streamOf((controller, index) => {
    if (index === 0 && part.length > 0) controller.enqueue(part)
    else controller.error(new TypeError('terminated'))
  })
}

function drip(body: Uint8Array, { piece, pauseMs }: BodyPlan, request: Request): ReadableStream<Uint8Array> {
  return streamOf(async (controller, index) => {
    if (index > 0) await wait(pauseMs, request)
    const end = (index + 1) * piece
    controller.enqueue(body.subarray(index * piece, end))
    if (end >= body.length) controller.close()
  })
}

/** Resolves after `ms` milliseconds (Infinity: never). Rejects with the signal's reason if it aborts before. */
async function wait(ms: number, { signal }: { readonly signal: AbortSignal }): Promise<void> {
  signal.throwIfAborted()
  if (ms === 0) return
  await new Promise<void>((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const end = () => {
      signal.removeEventListener('abort', giveUp)
      resolve()
    }
    const timer = Number.isFinite(ms) ? setTimeout(end, ms) : undefined
    signal.addEventListener('abort', giveUp, { once: true })
  })
}
