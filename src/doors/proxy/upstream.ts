import { Agent, request as httpRequest } from 'node:http'
import { request as httpsRequest, Agent as TlsAgent } from 'node:https'
import { isIP } from 'node:net'
import { headersUpstream } from './message-headers.ts'

export type Upstream = ReturnType<typeof createUpstream>

/**
 * Milliseconds to keep an idle connection. Servers usually keep theirs longer, so that a call rarely meets a connection
 * that the server is closing. A shorter Keep-Alive header of the server overrides it.
 */
const defaultKeepMs = 2_000

const mostIdle = 256

/** Bytes. Larger than most servers allow, so that the server decides. */
const maxHeaderSize = 131_072

/** The service that the proxy forwards calls to. */
export function createUpstream(url: URL, keepMs = defaultKeepMs) {
  const isTls = url.protocol === 'https:'
  const options = { keepAlive: true, timeout: keepMs, maxFreeSockets: mostIdle, scheduling: 'lifo' } as const
  const agent = isTls ? new TlsAgent(options) : new Agent(options)
  const request = isTls ? httpsRequest : httpRequest
  // A URL writes an IPv6 address in brackets, a socket does not.
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1')
  // A TLS server name cannot be an address (RFC 6066, section 3).
  const servername = isTls && isIP(hostname) === 0 ? { servername: hostname } : {}
  return {
    /** Scheme and authority. */
    origin: url.origin,
    /** Begins a request, on a new connection if `isFresh`. Throws if Node cannot send it. */
    open: (method: string, pathAndQuery: string, headers: readonly string[], isFresh: boolean) => {
      const sent = request({
        ...servername,
        protocol: url.protocol,
        hostname,
        port: url.port,
        method,
        path: pathAndQuery,
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
