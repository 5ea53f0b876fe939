import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Timeouts } from './refusals.ts'

/** A certificate chain and its private key, in PEM. */
export interface KeyPair {
  readonly cert: string
  readonly key: string
}

/** Milliseconds without a call after which a client should close its connection: replies announce them. */
const keptMs = 5_000
/**
 * Milliseconds that the server waits longer. A client on a busy machine may send its next call late, and a connection that the
 * server closes meanwhile would lose the call.
 */
const lateMs = 10_000

/** A server that leaves refusals and the end of connections to the door. With `tls`, it speaks HTTPS. */
export async function createNodeServer(
  { headersMs, requestMs }: Timeouts,
  allowHalfOpen: boolean,
  tls: KeyPair | undefined,
): Promise<Server> {
  const options = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: keptMs,
    // Node would answer a missing Host itself, without a body.
    requireHostHeader: false,
  }
  const server =
    tls === undefined
      ? createServer(options)
      : (await import('node:https')).createServer({
          ...options,
          ...tls,
          allowHalfOpen,
          handshakeTimeout: headersMs,
        })
  // Node would silently drop headers beyond 2,000; their bytes are limited anyway.
  server.maxHeadersCount = 0
  Object.assign(server, { httpAllowHalfOpen: allowHalfOpen })
  // Node would destroy sockets that are still sending a reply. `Connections` closes them instead.
  server.closeIdleConnections = () => {}
  /** What had been read from each idle connection when its announced time was over. */
  const idle = new WeakMap<Socket, number>()
  // With this listener, Node leaves it to us to close the connection.
  server.on('timeout', (socket: Socket) => {
    if (idle.get(socket) === socket.bytesRead) socket.destroy()
    else {
      idle.set(socket, socket.bytesRead)
      socket.setTimeout(lateMs)
    }
  })
  return server
}
