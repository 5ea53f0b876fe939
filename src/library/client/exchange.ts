import { Buffer } from 'node:buffer'
import { type Agent, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import { clearTimeout, setTimeout } from 'node:timers'
import type { ConnectionOptions } from 'node:tls'
import { hostOf } from '../../base/text/loopback.ts'
import type { WalkthroughCall, WholeAnswer } from '../../judges/walkthrough/target.ts'

/** How much of a response to read, in bytes, and how long to wait for all of it, in milliseconds. */
export interface AnswerLimits {
  readonly bytes: number
  readonly ms: number
}

/** Which certificate of a server to trust, besides those that Node trusts. */
export type ServerTrust = Pick<ConnectionOptions, 'ca' | 'allowPartialTrustChain' | 'checkServerIdentity'>

/** Its target is sent as it is. Host and Content-Length are added. */
interface HttpRequest extends WalkthroughCall {
  /** Without one, the request gets a connection of its own. */
  readonly agent?: Agent
  readonly trust?: ServerTrust | undefined
}

export class NoWholeAnswer extends Error {
  /** The headers of a response that began. */
  headers: WholeAnswer['headers'] | undefined
}

export class LateAnswer extends NoWholeAnswer {}

/** The response ended within its body, or is too long. */
export class BrokenAnswer extends NoWholeAnswer {}

/** Test tools replace this method to catch connections. */
const { connect } = Socket.prototype

/**
 * Sends a request, without redirects and retries. It always settles: with the response, whatever its status, or with an error.
 * It uses Node's own modules: `fetch`, timers and other globals may be those of a DOM or of a test.
 */
export function exchange(url: URL, sent: HttpRequest, limits: AnswerLimits): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => {
    const request = open(url, sent)
    let begun: IncomingMessage | undefined
    let detached: Duplex | undefined
    const end = (outcome: Error | WholeAnswer) => {
      clearTimeout(timer)
      if (outcome instanceof NoWholeAnswer) outcome.headers = begun && headersOf(begun)
      if (outcome instanceof Error) reject(outcome)
      else resolve(outcome)
      detached?.destroy()
      request.destroy()
    }
    const late = new LateAnswer(`no whole response within ${limits.ms / 1_000} s`)
    const timer = setTimeout(() => end(late), limits.ms)
    const read = (response: IncomingMessage, body: Readable = response, first: Buffer = Buffer.alloc(0)) => {
      begun = response
      readBody(body, first, limits.bytes).then(text => end(answerOf(response, text)), end)
    }
    request.on('response', response => read(response))
    // Node gives a 101, and every response to CONNECT, to these events alone.
    const readDetached = (response: IncomingMessage, socket: Duplex, first: Buffer) => {
      detached = socket
      const { statusCode = 0 } = response
      if (statusCode >= 300) return read(response, socket, first)
      // What follows is another protocol.
      begun = response
      end(answerOf(response, ''))
    }
    request.on('upgrade', readDetached)
    request.on('connect', readDetached)
    request.on('error', end)
    request.on('close', () => {
      if (begun === undefined) end(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }))
    })
    request.end(sent.body)
  })
}

function open(url: URL, { method, target, headers, body, agent, trust }: HttpRequest) {
  const hasLength = body !== undefined || !/^(?:GET|HEAD|DELETE|OPTIONS|TRACE|CONNECT)$/.test(method)
  const length = hasLength ? ['Content-Length', `${Buffer.byteLength(body ?? '')}`] : []
  const options = {
    protocol: url.protocol,
    hostname: hostOf(url),
    port: url.port,
    method,
    path: target,
    headers: ['Host', url.host, ...headers, ...length],
  }
  if (url.protocol === 'https:') return requestHttps({ ...options, agent: agent ?? false, ...trust })
  if (agent !== undefined) return requestHttp({ ...options, agent })
  return requestHttp({
    ...options,
    createConnection: ({ host, port }) => Reflect.apply(connect, new Socket(), [{ host, port }]),
  })
}

function readBody(body: Readable, first: Buffer, mostBytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks = [first]
    let size = first.length
    body.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > mostBytes)
        body.destroy(new BrokenAnswer(`the response is longer than ${mostBytes / 1_048_576} MiB`))
      else chunks.push(chunk)
    })
    body.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
    body.on('error', error =>
      reject(error instanceof BrokenAnswer ? error : new BrokenAnswer(error.message, { cause: error })),
    )
    body.on('close', () => reject(new BrokenAnswer('the response ended within its body')))
  })
}

function answerOf(response: IncomingMessage, text: string): WholeAnswer {
  return { status: response.statusCode ?? 0, headers: headersOf(response), text }
}

/** Lines with one name are joined, as `fetch` joins them. */
function headersOf({ headersDistinct }: IncomingMessage): WholeAnswer['headers'] {
  const headers = Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(', ')])
  return Object.fromEntries(headers)
}
