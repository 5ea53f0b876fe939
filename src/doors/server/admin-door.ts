import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Call } from '../../service/call/call.ts'
import type { AdminPlane } from '../admin/plane.ts'
import type { AnswerRequest } from './answer-request.ts'
import type { LoadAdminPlane } from './load-admin.ts'
import { makeCall } from './read-call.ts'
import { ownFailure, replyWithoutCall } from './refusals.ts'
import { writeReply, writeReplyEarly } from './write-reply.ts'

export type AdminDoor = ReturnType<typeof createAdminDoor>

/** Loads the admin plane at its first call, hands it all of its calls, and sends its responses. */
export function createAdminDoor(
  server: Server,
  load: LoadAdminPlane,
  onError: (error: unknown, call?: Call) => void,
) {
  let loading: Promise<AdminPlane> | undefined
  const closing = new AbortController()

  const reply = async (request: IncomingMessage, response: ServerResponse, call: Call): Promise<void> => {
    loading ??= load((server.address() as AddressInfo).address)
    const signal = AbortSignal.any([goneSignal(request, response), closing.signal])
    const plane = await loading
    await send(request, response, call, await plane(call, { signal, after, nextTurn }))
  }

  const answer: AnswerRequest = (request, response, body) => {
    if (!request.socket.writable) return
    reply(request, response, makeCall(request, body, Date.now())).catch((error: unknown) => {
      if (!response.headersSent) writeReply(response, replyWithoutCall(ownFailure))
      else response.destroy()
      onError(error)
    })
  }

  return {
    answer,
    /** Whether a call has come yet. */
    isUsed: () => loading !== undefined,
    /** Ends calls that wait and streams of events. */
    close: () => closing.abort(),
  }
}

/** Aborts when the client leaves. A client that closes its side may have left, so nothing waits for it. */
function goneSignal({ socket }: IncomingMessage, response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  const abort = () => gone.abort()
  if (socket.readableEnded) abort()
  socket.once('end', abort)
  response.once('close', () => {
    socket.off('end', abort)
    abort()
  })
  return gone.signal
}

function after(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  call: Call,
  { status, headers, body }: Response,
): Promise<void> {
  const fields = Object.fromEntries(headers)
  if (call.body === 'too-large') {
    const text = body === null ? undefined : await new Response(body).text()
    writeReplyEarly(request, response, { status, headers: fields, body: text })
    return
  }
  response.writeHead(status, fields)
  if (body === null) response.end()
  else
    await pipeline(Readable.fromWeb(body), response).catch((error: unknown) => {
      // A client that leaves early is no defect.
      if (!response.destroyed) throw error
    })
}
