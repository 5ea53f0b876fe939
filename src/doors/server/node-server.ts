import { createServer, type Server } from 'node:http'
import type { Timeouts } from './refusals.ts'

/** A certificate chain and its private key, in PEM. */
export interface KeyPair {
  readonly cert: string
  readonly key: string
}

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
    keepAliveTimeout: 5_000,
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
  return server
}
