import { Agent, type ClientRequest, request as httpRequest } from 'node:http'
import { request as httpsRequest, Agent as TlsAgent } from 'node:https'
import { isIP } from 'node:net'
import { headersUpstream } from './message-headers.ts'

/** The service that the proxy forwards calls to. */
export interface Upstream {
  /** Scheme and authority. */
  readonly origin: string
  /** Begins a request; `isFresh`: on a new connection. Throws if Node cannot send the request. */
  readonly open: (call: UpstreamCall, isFresh?: boolean) => ClientRequest
  readonly close: () => void
}

export interface UpstreamCall {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: readonly string[]
}

/**
 * Milliseconds to keep an idle connection. Servers usually keep theirs longer, so that a call rarely meets a connection
 * that the server is closing. A shorter Keep-Alive header of the server overrides it.
 */
const defaultKeepMs = 2_000

const mostIdle = 256

/** Bytes. Larger than most servers allow, so that the server decides. */
const maxHeaderSize = 131_072

export function createUpstream(url: URL, keepMs = defaultKeepMs): Upstream {
  const isTls = url.protocol === 'https:'
  const options = { keepAlive: true, timeout: keepMs, maxFreeSockets: mostIdle, scheduling: 'lifo' } as const
  const agent = isTls ? new TlsAgent(options) : new Agent(options)
  const request = isTls ? httpsRequest : httpRequest
  // A URL writes an IPv6 address in brackets, a socket does not.
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1')
  // A TLS server name cannot be an address (RFC 6066, section 3).
  const servername = isTls && isIP(hostname) === 0 ? { servername: hostname } : {}
  return {
    origin: url.origin,
    open: ({ method, path, headers }, isFresh = false) => {
      const sent = request({
        ...servername,
        protocol: url.protocol,
        hostname,
        port: url.port,
        method,
        path,
        maxHeaderSize,
        agent: isFresh ? false : agent,
        headers: headersUpstream(method, headers, url.host),
      })
      // Node would silently drop headers beyond 2 000.
      sent.maxHeadersCount = 0
      return sent
    },
    close: () => agent.destroy(),
  }
}
