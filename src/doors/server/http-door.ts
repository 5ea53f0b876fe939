import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Call, Connection, LateHandle, UsesBody } from '../../service/call/call.ts'
import { isAdminTarget } from '../admin/routing/address.ts'
import { type AdminDoor, createAdminDoor } from './admin-door.ts'
import { createAnswer } from './answer-request.ts'
import type { Listening } from './base-url.ts'
import { createBodyReader } from './bodies.ts'
import { Connections } from './connections.ts'
import type { Line } from './line.ts'
import type { LoadAdminPlane } from './load-admin.ts'
import { createNodeServer, type KeyPair } from './node-server.ts'
import { hasBody } from './read-call.ts'
import * as refusals from './refusals.ts'
import { createReplyFaults, type ReplyFaults } from './write-reply.ts'

/** Answers a request itself, with all that Node offers. */
export type Forward = (request: IncomingMessage, response: ServerResponse, context: ForwardContext) => void

export interface ForwardContext {
  /** The client waits for `100 Continue` before it sends the body. */
  readonly awaitsContinue: boolean
  readonly connections: Connections
  readonly faults: ReplyFaults
}

/** `handle` answers calls as values; without `usesBody`, a body always matters. `forward` passes requests on, as a proxy does. */
export type HttpDoorOptions = OpenOptions &
  ({ readonly handle: LateHandle; readonly usesBody?: UsesBody } | { readonly forward: Forward })

interface OpenOptions {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  readonly timeouts?: refusals.Timeouts
  /** Speaks HTTPS with this certificate, and no HTTP. */
  readonly tls?: KeyPair | undefined
  /** The server does not keep the process running. */
  readonly unref?: boolean
  /** Loads the admin plane at its first call. Without it, `/__admin` is an unknown path. */
  readonly admin?: LoadAdminPlane
  /**
   * Receives the seconds from reading a call to handing its reply to the system, with the reply's delay. Starts with
   * the first call to the admin plane: nobody can read the metrics before.
   */
  readonly onLatency?: (seconds: number) => void
  /** Receives defects of pet-mock that the handler did not answer itself. The client gets a 500. */
  readonly onError: (error: unknown, call?: Call) => void
  /** Receives what the door refused before it became a call, unless no client is left. */
  readonly onRefusal?: (refusal: refusals.Refusal) => void
  /** Receives what was lost: a client left while its request was read, or before its reply was sent. */
  readonly onLost?: (request: IncomingMessage) => void
  /** Called with each new connection, before its first call. */
  readonly onConnection?: ((connection: Connection | undefined, socket: Socket) => void) | undefined
}

export interface HttpDoor extends Listening {
  /** The address that `host` resolved to. */
  readonly address: string
  /** Answers the calls under way and closes everything, at the latest after `graceMs`. A second call may shorten that. */
  readonly close: (graceMs: number) => Promise<void>
}

/**
 * Opens the HTTP door: it reads calls, writes replies, and decides nothing.
 * Rejects with Node's system error if it cannot listen (`EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`, `ENOTFOUND`).
 */
export async function openHttpDoor(options: HttpDoorOptions): Promise<HttpDoor> {
  const { timeouts = refusals.defaultTimeouts, tls, onError, onConnection } = options
  // Allow half-open sockets, so that late replies still arrive. For the proxy, a FIN means that the client left.
  const server = await createNodeServer(timeouts, !('forward' in options), tls)
  const connections = new Connections(server, tls !== undefined, options.onLost)
  if (onConnection) server.on('connection', socket => onConnection(connections.of(socket), socket))
  const faults = createReplyFaults(connections, onError)
  const admin = options.admin && createAdminDoor(server, options.admin, onError)
  serveRequests(server, options, { connections, faults }, admin)
  refusals.refuseBrokenRequests(server, options, connections)
  const close = (graceMs: number) =>
    new Promise<void>(resolve => {
      const timer = setTimeout(() => connections.destroy(), graceMs)
      server.close(() => {
        clearTimeout(timer)
        resolve()
      })
      void connections.close()
      // Sends delayed replies now and releases hanging ones.
      faults.waits.hasten()
      admin?.close()
    })
  return listen(server, options, close)
}

function serveRequests(
  server: Server,
  options: HttpDoorOptions,
  { connections, faults }: Omit<ForwardContext, 'awaitsContinue'>,
  admin: AdminDoor | undefined,
): void {
  const { onLatency, onError, onRefusal } = options
  const isTimed = () => admin?.isUsed() === true
  const answer =
    'handle' in options
      ? createAnswer({ handle: options.handle, connections, faults, onLatency, isTimed, onError })
      : undefined
  const usesBody = ('handle' in options && options.usesBody) || (() => true)
  const answerWithBody = answer && createBodyReader(answer, usesBody, onRefusal)
  const forward = 'forward' in options ? options.forward : undefined
  const serve = (request: IncomingMessage, response: ServerResponse, awaitsContinue = false) => {
    const line = connections.begin(response)
    if (line?.isReading === true) line.afterBody(() => serveNext(request, response, awaitsContinue, line))
    else serveNext(request, response, awaitsContinue, line)
  }
  const serveNext = (
    request: IncomingMessage,
    response: ServerResponse,
    awaitsContinue: boolean,
    line: Line | undefined,
  ) => {
    const refusal = refusals.checkRequest(request)
    if (refusal !== undefined) {
      refusals.refuseRequest(request, response, refusal, onRefusal)
      return
    }
    if (admin !== undefined && isAdminTarget(request.url ?? '/')) {
      admin.answer(request, response, awaitsContinue)
      return
    }
    if (answer === undefined) forward?.(request, response, { awaitsContinue, connections, faults })
    else if (!hasBody(request)) answer(request, response, undefined, line)
    else answerWithBody?.(request, response, awaitsContinue, line)
  }
  server.on('request', (request, response) => serve(request, response))
  server.on('checkContinue', (request, response) => serve(request, response, true))
  // A server may ignore an unknown expectation (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => serve(request, response))
}

/** New connections that the system holds. Beyond Node's 511, clients that call by the thousand wait for seconds. */
const mostWaiting = 4_096

function listen(server: Server, { host, port, tls, unref, onError }: OpenOptions, close: HttpDoor['close']) {
  return new Promise<HttpDoor>((resolve, reject) => {
    server.once('error', reject)
    if (unref === true) server.unref().on('connection', socket => socket.unref())
    server.listen({ port, host, backlog: mostWaiting }, () => {
      server.off('error', reject)
      server.on('error', error => onError(error))
      const { address, port } = server.address() as AddressInfo
      resolve({ host, address, port, isTls: tls !== undefined, close })
    })
  })
}
