import { Agent, type ClientRequest, request as httpRequest } from 'node:http'
import { request as httpsRequest, Agent as TlsAgent } from 'node:https'
import { isIP } from 'node:net'
import { hostOf } from '../../base/text/loopback.ts'
import type { Reply } from '../../service/call/call.ts'
import type { Reason } from '../../service/call/problems.ts'
import { replyWithoutCall } from '../server/refusals.ts'
import { headersUpstream } from './proxy-answers.ts'

/** Methods that a proxy may send again after a connection failure (RFC 9110, section 9.2.2). */
const idempotent: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE'])

export type Upstream = ReturnType<typeof createUpstream>

/**
 * Milliseconds to keep an idle connection. Servers usually keep theirs longer, so that a call rarely meets a connection
 * that the server is closing. A shorter Keep-Alive header of the server overrides it.
 */
const defaultKeepMs = 2_000

const mostIdle = 256

/** Bytes. Larger than most servers allow, so that the server decides. */
const maxHeaderSize = 131_072

export function createUpstream(url: URL, keepMs = defaultKeepMs) {
  const isTls = url.protocol === 'https:'
  const options = { keepAlive: true, timeout: keepMs, maxFreeSockets: mostIdle, scheduling: 'lifo' } as const
  const agent = isTls ? new TlsAgent(options) : new Agent(options)
  const request = isTls ? httpsRequest : httpRequest
  const hostname = hostOf(url)
  // A TLS server name cannot be an address (RFC 6066, section 3).
  const servername = isTls && isIP(hostname) === 0 ? { servername: hostname } : {}
  return {
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
      // Node would silently drop headers beyond 2,000.
      sent.maxHeadersCount = 0
      return sent
    },
    close: () => agent.destroy(),
  }
}

/** Whether to repeat a request without a body: the upstream may close a kept connection just when it is used again. */
export function mayRetry(sent: ClientRequest, { code }: NodeJS.ErrnoException): boolean {
  const isClosed = code === 'ECONNRESET' || code === 'EPIPE'
  return isClosed && sent.reusedSocket && idempotent.has(sent.method)
}

export function explainFailure(error: Error & { readonly code?: string }, origin: string): Reason {
  return { code: 'upstream_failed', message: `${sentence(error, origin)} pet-mock answers instead.` }
}

function sentence(error: Error & { readonly code?: string }, origin: string): string {
  const { code = '' } = error
  switch (code) {
    case 'ECONNREFUSED':
      return `No server listens at ${origin}.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host name of ${origin} does not resolve.`
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `${origin} cannot be reached (${code}).`
    case 'ECONNRESET':
    case 'EPIPE':
      return `${origin} closed the connection before it answered.`
    case 'EPROTO':
      return `${origin} does not speak valid TLS. If it speaks plain HTTP, use http:// in the URL.`
    default:
      if (/^HPE_/.test(code)) return `The answer of ${origin} is not valid HTTP (${code}).`
      if (/CERT|SELF_SIGNED|VERIFY|ALTNAME/.test(code))
        return `The certificate of ${origin} is not trusted (${code}). Set NODE_EXTRA_CA_CERTS=FILE to trust its issuer.`
      return `${origin} failed (${code || error.message}).`
  }
}

/** The proxy's own answer, marked as not the service's. */
export function failureReply(reason: Reason): Reply {
  const reply = replyWithoutCall(reason)
  return { ...reply, headers: { ...reply.headers, 'X-Pet-Mock': 'proxy' } }
}
