import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Call, type LateHandle, maxBody, type Reply } from '../../service/call/call.ts'
import { isAdminTarget, maxAdminBody } from '../admin/routing/address.ts'
import { createAdminDoor, type LoadAdminPlane } from './admin-door.ts'
import { Connections } from './connections.ts'
import { declaresTooMuch, hasBody, makeCall, readBody } from './read-call.ts'
import {
  checkRequest,
  connectRefusal,
  defaultTimeouts,
  explainParserError,
  isNobody,
  ownFailure,
  type Reason,
  type Refusal,
  replyWithoutCall,
  type Timeouts,
  tellRefusal,
} from './refusals.ts'
import { createTroubles } from './reply-faults.ts'
import { writeReply, writeReplyByHand, writeReplyEarly } from './write-reply.ts'

/** Answers a request by itself, on its own time: what it may do is all that Node can. */
export type Forward = (request: IncomingMessage, response: ServerResponse, passage: ForwardPassage) => void

export interface ForwardPassage {
  /** The client sends the body when it is told to go on, or when it has waited long enough. */
  readonly awaitsContinue: boolean
  readonly connections: Connections
}

/** Calls are read and answered as values, or, by a proxy, forwarded as they come. */
export type HttpDoorOptions = OpenOptions & ({ readonly handle: LateHandle } | { readonly forward: Forward })

interface OpenOptions {
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  readonly timeouts?: Timeouts
  /** The admin plane, loaded when it is first asked; without it, its paths are as any other that is not the API's. */
  readonly admin?: LoadAdminPlane
  /**
   * Told of each call how many seconds it took from when it was read until its reply was handed to the system, with
   * the delay that the reply asked for: from the first call to the admin plane on, since nobody can look before.
   */
  readonly onLatency?: (seconds: number) => void
  /** A defect of pet-mock that the handler did not answer for itself. The client has its 500. */
  readonly onError: (error: unknown, call?: Call) => void
  /** The door answered by itself what never became a call; not told of clients that are gone. */
  readonly onRefusal?: (refusal: Refusal) => void
}

export interface HttpDoor {
  readonly host: string
  /** Where it listens: what `host` came to. */
  readonly address: string
  readonly port: number
  /**
   * Answers the calls that are under way and closes everything; after `graceMs`, without waiting any longer. Closing
   * a second time can only hasten it.
   */
  readonly close: (graceMs: number) => Promise<void>
}

/**
 * Opens the HTTP door: it reads a call, writes a reply, and decides nothing.
 * Rejects with Node's system error when it cannot listen (`EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`, `ENOTFOUND`).
 */
export function openHttpDoor(options: HttpDoorOptions): Promise<HttpDoor> {
  const { host, port, timeouts = defaultTimeouts, onLatency, onError, onRefusal } = options
  const forward = 'forward' in options ? options.forward : undefined
  const server = createServer({
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: 5_000,
    // Node would answer a missing Host by itself, without a body.
    requireHostHeader: false,
  })
  // Node would drop what is beyond 2 000 headers without a word; their bytes are limited anyway.
  server.maxHeadersCount = 0
  // A client that has said all may close its side: what is answered later must still reach it. To a proxy it is gone, and
  // so is who else would work for it.
  Object.assign(server, { httpAllowHalfOpen: forward === undefined })
  const connections = new Connections(server)
  // Closing, Node would take a reply that is still being sent for none. Connections knows better what is idle.
  server.closeIdleConnections = () => {}

  const troubles = createTroubles(connections, onError)

  const write = (request: IncomingMessage, response: ServerResponse, body: Call['body'], reply: Reply) => {
    if (body === 'too-large') writeReplyEarly(request, response, reply)
    else if (connections.closing) {
      writeReply(response, { ...reply, headers: { ...reply.headers, Connection: 'close' } })
    } else writeReply(response, reply)
  }

  const answerBy =
    (handle: LateHandle) => (request: IncomingMessage, response: ServerResponse, body: Call['body']) => {
      // The client is gone or has its 408: what it did not get an answer to must not have happened.
      if (!request.socket.writable) return
      const isTimed = onLatency !== undefined && admin?.isAsked() === true
      const from = isTimed ? performance.now() : 0
      const call = makeCall(request, body, Date.now())
      const deliver = (reply: Reply) => {
        if (reply.delayMs === undefined && reply.fault === undefined) write(request, response, body, reply)
        else troubles.deliver(response, reply, late => write(request, response, body, late))
        if (isTimed) onLatency((performance.now() - from + (reply.delayMs ?? 0)) / 1_000)
      }
      const fail = (error: unknown) => {
        if (!response.headersSent) write(request, response, body, replyWithoutCall(ownFailure))
        onError(error, call)
      }
      try {
        const reply = handle(call)
        if (reply instanceof Promise) reply.then(deliver).catch(fail)
        else deliver(reply)
      } catch (error) {
        fail(error)
      }
    }

  const admin = options.admin && createAdminDoor(server, options.admin, onError)
  const answer = 'handle' in options ? answerBy(options.handle) : undefined

  const serve = (request: IncomingMessage, response: ServerResponse, awaitsContinue = false) => {
    connections.begin(response)
    const refusal = checkRequest(request)
    if (refusal !== undefined) {
      onRefusal?.(tellRefusal(refusal, request.socket))
      writeReplyEarly(request, response, replyWithoutCall(refusal))
      return
    }
    const isAdmin = admin !== undefined && isAdminTarget(request.url ?? '/')
    const reply = isAdmin ? admin.answer : answer
    if (reply === undefined) {
      forward?.(request, response, { awaitsContinue, connections })
      return
    }
    const mostBytes = isAdmin ? maxAdminBody : maxBody
    if (!hasBody(request)) reply(request, response, undefined)
    else {
      if (awaitsContinue && !declaresTooMuch(request, mostBytes)) response.writeContinue()
      readBody(request, mostBytes, body => reply(request, response, body))
    }
  }

  const refuseByHand = (socket: Duplex, reason: Reason, isTold: boolean) =>
    connections.afterCalls(socket, () => {
      if (!socket.writable) return
      if (isTold) onRefusal?.(tellRefusal(reason, socket))
      writeReplyByHand(socket, replyWithoutCall(reason))
    })

  server.on('request', (request, response) => serve(request, response))
  server.on('checkContinue', (request, response) => serve(request, response, true))
  // An expectation that is not understood may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => serve(request, response))
  server.on('connect', (_request, socket) => {
    // Node lets go of this socket: its errors are nobody else's now.
    socket.on('error', () => socket.destroy())
    refuseByHand(socket, connectRefusal, true)
  })
  server.on('clientError', (error, socket) => {
    if (connections.isAnswered(socket)) socket.destroy()
    else refuseByHand(socket, explainParserError(error, timeouts), !isNobody(error, socket))
  })

  const close = (graceMs: number) =>
    new Promise<void>(resolve => {
      const timer = setTimeout(() => connections.destroy(), graceMs)
      server.close(() => {
        clearTimeout(timer)
        resolve()
      })
      connections.close()
      troubles.hasten()
      admin?.close()
    })

  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      server.on('error', error => onError(error))
      const { address, port } = server.address() as AddressInfo
      resolve({ host, address, port, close })
    })
  })
}
