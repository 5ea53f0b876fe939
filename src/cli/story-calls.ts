import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest, Agent as TlsAgent } from 'node:https'
import { connect } from 'node:net'
import type { Failure } from '../scenario/walkthrough.ts'
import type { Answer, StoryCall } from '../walkthrough/stage.ts'

/** Makes the calls of a story over HTTP. */
export interface Caller {
  /** Rejects when the call cannot be made: with the system's error. */
  readonly call: (call: StoryCall, withinMs: number) => Promise<Answer>
  readonly close: () => void
}

const connectionsAtOnce = 500

/** `url`: where the API is, with its `/v1` or without. */
export function createCaller(url: URL): Caller {
  // A connection for each call: one that was kept could be closed already, which is no failure of the call.
  const options = { keepAlive: false, maxSockets: connectionsAtOnce }
  const agent = url.protocol === 'https:' ? new TlsAgent(options) : new Agent(options)
  const base = url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
  return {
    call: (call, withinMs) => exchange(url, agent, `${base}${call.target}`, call, withinMs),
    close: () => agent.destroy(),
  }
}

/** Why no connection to a server can be had; undefined when one can. */
export function whyUnreachable(url: URL, withinMs: number): Promise<string | undefined> {
  return new Promise(resolve => {
    const socket = connect({
      host: hostOf(url),
      port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
    })
    const tell = (why: string | undefined) => {
      socket.destroy()
      resolve(why)
    }
    socket.setTimeout(withinMs, () => tell('it takes no connection'))
    socket.on('connect', () => tell(undefined)).on('error', error => tell(reasonOf(error)))
  })
}

/** Where a name has several addresses, Node's error of all of them has no message. */
export function reasonOf(error: Error & { readonly code?: string }): string {
  return error.message || error.code || error.name
}

/** As sockets want it: in a URL, an address of IPv6 stands in brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

function exchange(
  url: URL,
  agent: Agent,
  path: string,
  { method, headers, body }: StoryCall,
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
        path,
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
    response.on('data', chunk => chunks.push(chunk))
    response.on('end', () => {
      const lowered = Object.entries(response.headers).map(([name, value]) => [name, `${value}`])
      const headers: Readonly<Record<string, string>> = Object.fromEntries(lowered)
      resolve({ status: response.statusCode ?? 0, headers, text: Buffer.concat(chunks).toString() })
    })
    response.on('error', error => resolve({ fails: error.name === 'AbortError' ? 'hang' : 'truncate' }))
  })
}

/** How a call failed as its client sees it; undefined for one that could not be made at all. */
function failureOf(error: Error & { code?: string }): Failure | undefined {
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'hang'
  // The connection was reset while the body was still on its way.
  if (error.code === 'EPIPE') return 'reset'
  if (error.code !== 'ECONNRESET') return undefined
  // Node gives the same code to a connection that is closed before a byte has come.
  return error.message === 'socket hang up' ? 'empty' : 'reset'
}
