import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest, Agent as TlsAgent } from 'node:https'
import type { Answer, WalkthroughCall } from '../../judges/walkthrough/target.ts'
import type { Failure } from '../../service/call/fault.ts'

/** Calls another server as it is told to: no redirect is followed, nothing is tried again. */
export interface HttpClient {
  /** Rejects when there is no server, with Node's system error. `target` is the whole path. */
  readonly send: (call: WalkthroughCall, withinMs: number) => Promise<Answer>
  readonly close: () => void
}

const connectionsAtOnce = 500
/** Bytes of a body; one that is longer is taken for broken. */
const maxAnswer = 64 * 2 ** 20

/** A client for the server at a URL, whose path is of no meaning here. */
export function createHttpClient(url: URL): HttpClient {
  // A connection for each call: one that was kept could be closed already, which is no failure of the call.
  const options = { keepAlive: false, maxSockets: connectionsAtOnce }
  const agent = url.protocol === 'https:' ? new TlsAgent(options) : new Agent(options)
  return { send: (call, withinMs) => exchange(url, agent, call, withinMs), close: () => agent.destroy() }
}

/** As sockets want it: in a URL, an address of IPv6 stands in brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

function exchange(
  url: URL,
  agent: Agent,
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

/** How a call failed as its client sees it; undefined for a server that is not there at all. */
function failureOf(error: Error & { code?: string }): Failure | undefined {
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'hang'
  // The connection was reset while the body was still on its way.
  if (error.code === 'EPIPE') return 'reset'
  if (error.code !== 'ECONNRESET') return undefined
  // Node gives the same code to a connection that is closed before a byte has come.
  return error.message === 'socket hang up' ? 'empty' : 'reset'
}
