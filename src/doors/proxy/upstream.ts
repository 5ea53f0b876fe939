import { Agent, type ClientRequest, request as httpRequest } from 'node:http'
import { request as httpsRequest, Agent as TlsAgent } from 'node:https'
import { isIP } from 'node:net'
import { headersUpstream } from './message-headers.ts'

/** The service that calls are passed on to. */
export interface Upstream {
  /** Its scheme and authority. */
  readonly origin: string
  /** Begins a call; `isFresh`: on a connection of its own. Throws on what cannot be sent at all. */
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
 * How long a connection is kept for the next call, in milliseconds: shorter than servers usually do, since a call that is
 * sent on a connection just as the server closes it is lost. What a server says in Keep-Alive holds where it is less.
 */
const usualKeepMs = 2_000

const mostKept = 256

/** Bytes: larger than what most servers send, so that they decide. */
const maxHeaderSize = 131_072

export function createUpstream(url: URL, keepMs = usualKeepMs): Upstream {
  const isTls = url.protocol === 'https:'
  const options = { keepAlive: true, timeout: keepMs, maxFreeSockets: mostKept, scheduling: 'lifo' } as const
  const agent = isTls ? new TlsAgent(options) : new Agent(options)
  const request = isTls ? httpsRequest : httpRequest
  // As sockets want it: in a URL, an address of IPv6 stands in brackets.
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1')
  // A name of the server cannot be an address (RFC 6066, section 3).
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
      // Node would drop what is beyond 2 000 headers without a word.
      sent.maxHeadersCount = 0
      return sent
    },
    close: () => agent.destroy(),
  }
}
