import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getBuiltinModule } from 'node:process'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { lazily } from '../../base/lazily.ts'
import type { Call } from '../../service/call/call.ts'
import type { ArrivingBody, ReadBody } from '../admin/routing/read-body.ts'
import { readBody } from './bodies.ts'
import { after, type LoadAdminPlane } from './load-admin.ts'
import { explainImport, NotLoadable, rememberOwnFiles } from './own-files.ts'
import { declaresTooMuch, hasBody, makeCall } from './read-call.ts'
import { ownFailure, replyWithoutCall } from './refusals.ts'
import { createSocketEvent } from './waits.ts'
import { endGently, writeReply, writeReplyEarly } from './write-reply.ts'

export type AdminDoor = ReturnType<typeof createAdminDoor>

/** Loads the admin plane at its first call, hands it all of its calls, and sends its responses. */
export function createAdminDoor(
  server: Server,
  load: LoadAdminPlane,
  onError: (error: unknown, call?: Call) => void,
) {
  const checkFiles = rememberOwnFiles()
  const loaded = lazily(async () => {
    checkFiles()
    return load((server.address() as AddressInfo).address)
  })
  let isUsed = false
  const closing = new AbortController()
  const whenEnded = createSocketEvent('end')

  /** Aborts when the client leaves. A client that closes its side may have left, so nothing waits for it. */
  const goneSignal = ({ socket }: IncomingMessage, response: ServerResponse): AbortSignal => {
    const gone = new AbortController()
    const abort = () => gone.abort()
    if (socket.readableEnded) abort()
    const stop = whenEnded(socket, abort)
    response.once('close', () => {
      stop()
      abort()
    })
    return gone.signal
  }

  const reply = async (request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean) => {
    isUsed = true
    const signal = AbortSignal.any([goneSignal(request, response), closing.signal])
    const plane = await loaded()
    // A small body has come with its head, but is still being parsed.
    if (isArriving(request)) await nextTurn()
    const readBody = hasBody(request) ? bodyReader(request, response, awaitsContinue) : undefined
    const call = makeCall(request, undefined, Date.now())
    const answer = await plane(call, { signal, after, nextTurn, readBody, freeHeap })
    // A client that left or has its 400 or 408 gets no other reply.
    if (request.socket.writable) await send(request, response, answer)
  }

  return {
    /** Answers a request whose body has not been read. */
    answer: (request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): void => {
      if (!request.socket.writable) return
      reply(request, response, awaitsContinue).catch((failure: unknown) => {
        const error = explainImport(failure)
        const isKnown = error instanceof NotLoadable
        const sent = replyWithoutCall(isKnown ? { ...ownFailure, message: error.message } : ownFailure)
        if (response.headersSent) response.destroy()
        else if (isArriving(request)) writeReplyEarly(request, response, sent)
        else writeReply(response, sent)
        onError(error)
      })
    },
    isUsed: () => isUsed,
    /** Ends calls that wait and streams of events. */
    close: () => closing.abort(),
  }
}

function isArriving(request: IncomingMessage): boolean {
  return hasBody(request) && !request.complete
}
function bodyReader(request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): ReadBody {
  return (most, accepts) => {
    let stop = () => {}
    const body = new Promise<Awaited<ArrivingBody['body']>>(resolve => {
      if (declaresTooMuch(request, most)) {
        resolve('too-large')
        return
      }
      if (awaitsContinue && isArriving(request)) response.writeContinue()
      const end = (read: Awaited<ArrivingBody['body']>) => {
        request.off('close', stop)
        // A call that gets no reply must have no effect.
        resolve(request.socket.writable ? read : 'stopped')
      }
      let isTooLarge = false
      const takes = (size: number, chunk: Uint8Array) => {
        isTooLarge = size > most
        return !isTooLarge && accepts(chunk)
      }
      const stopReading = readBody(request, takes, (body, rest) => {
        if (rest === undefined) end(body)
        else end(isTooLarge ? 'too-large' : 'stopped')
      })
      stop = () => {
        stopReading()
        end('stopped')
      }
      request.once('close', stop)
    })
    return { body, stop: () => stop() }
  }
}

async function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Response) {
  const isEarly = isArriving(request)
  const fields = Object.fromEntries(headers)
  response.writeHead(status, isEarly ? { ...fields, Connection: 'close' } : fields)
  // The rest of the request is read and forgotten.
  if (isEarly) request.resume()
  if (body !== null)
    await pipeline(Readable.fromWeb(body), response, { end: !isEarly }).catch((error: unknown) => {
      // A client that leaves early is no defect.
      if (!isEarly && !response.destroyed) throw error
      response.destroy()
    })
  else if (isEarly) response.flushHeaders()
  else response.end()
  if (isEarly) endGently(request, response)
}

/**
 * Bytes of heap that are left. Collects garbage if these seem to be fewer than wanted. Loads V8's statistics and the inspector
 * only when it needs them: pet-mock should start fast.
 */
export function freeHeap(wanted: number): number {
  const free = measure()
  if (free >= wanted) return free
  const { Session } = getBuiltinModule('node:inspector')
  const session = new Session()
  session.connect()
  session.post('HeapProfiler.collectGarbage')
  session.disconnect()
  return measure()
}

function measure(): number {
  const { heap_size_limit: limit, used_heap_size: used } = getBuiltinModule('node:v8').getHeapStatistics()
  return Math.max(0, limit - used)
}
