import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest, Agent as TlsAgent } from 'node:https'
import type { Answer, WalkthroughCall } from '../../judges/walkthrough/target.ts'
import type { ServerTrust } from '../../library/client/send-over-http.ts'
import type { Failure } from '../../service/call/fault.ts'
import { serverTrust } from '../start/server-trust.ts'

/** Sends calls to a server, without redirects and retries. */
export interface HttpClient {
  /** Rejects with Node's system error if there is no server. `target` is the whole path. */
  readonly send: (call: WalkthroughCall, withinMs: number) => Promise<Answer>
  readonly close: () => void
}

const connectionsAtOnce = 500
/** The most bytes of a body. A longer one counts as broken. */
const maxAnswer = 64 * 2 ** 20

/** Creates a client for the server at a URL. It ignores the path. */
export function createHttpClient(url: URL): HttpClient {
  // One connection for each call: a kept connection could already be closed, and fail the next call.
  const options = { keepAlive: false, maxSockets: connectionsAtOnce }
  const agent = url.protocol === 'https:' ? new TlsAgent(options) : new Agent(options)
  const trust = serverTrust(url.href)
  return {
    send: async (call, withinMs) => exchange(url, agent, await trust, call, withinMs),
    close: () => agent.destroy(),
  }
}

/** The host for a socket: without the brackets that a URL puts around IPv6 addresses. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

function exchange(
  url: URL,
  agent: Agent,
  trust: ServerTrust | undefined,
  { method, target, headers, body }: WalkthroughCall,
  withinMs: number,
): Promise<Answer> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  const bytes = body === undefined ? undefined : Buffer.from(body)
  const length = bytes === undefined ? [] : ['Content-Length', `${bytes.length}`]
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        protocol: url.protocol,
        hostname: hostOf(url),
        port: url.port,
        method,
        path: target,
        agent,
        ...trust,
        headers: ['Host', url.host, ...headers, ...length],
        signal: AbortSignal.timeout(withinMs),
      },
      response => readAnswer(response).then(resolve, reject),
    )
    sent.on('error', error => {
      const fails = failureOf(error)
      if (fails === undefined) reject(error)
      else resolve({ fails })
    })
    sent.end(bytes)
  })
}

function readAnswer(response: IncomingMessage): Promise<Answer> {
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    let length = 0
    response.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= maxAnswer) chunks.push(chunk)
      else response.destroy(new Error('The body does not end.'))
    })
    response.on('end', () => {
      const lowered = Object.entries(response.headers).map(([name, value]) => [name, `${value}`])
      const headers: Readonly<Record<string, string>> = Object.fromEntries(lowered)
      resolve({ status: response.statusCode ?? 0, headers, text: Buffer.concat(chunks).toString() })
    })
    response.on('error', error => resolve({ fails: error.name === 'AbortError' ? 'hang' : 'truncate' }))
  })
}

/** How a call failed for its client; undefined if there is no server. */
function failureOf(error: Error & { code?: string }): Failure | undefined {
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'hang'
  // The connection was reset while the body was being sent.
  if (error.code === 'EPIPE') return 'reset'
  if (error.code !== 'ECONNRESET') return undefined
  // Node uses the same code if the connection closes before the first byte.
  return error.message === 'socket hang up' ? 'empty' : 'reset'
}
