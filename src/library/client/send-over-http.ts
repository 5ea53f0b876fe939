import { Buffer } from 'node:buffer'
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { Socket } from 'node:net'
import { clearTimeout, setTimeout } from 'node:timers'
import type { ConnectionOptions } from 'node:tls'
import type { Send } from './ask-plane.ts'
import { PetMockError } from './pet-mock-error.ts'

/** How much of an answer to read, in bytes, and how long to wait for all of it, in milliseconds. */
export interface AnswerLimits {
  readonly bytes: number
  readonly ms: number
}

/** Which certificate of a server to trust, besides those that Node trusts. */
export type ServerTrust = Pick<ConnectionOptions, 'ca' | 'allowPartialTrustChain' | 'checkServerIdentity'>

/** Fits a snapshot, and the longest wait for requests. */
const usualLimits: AnswerLimits = { bytes: 512 * 1_048_576, ms: 660_000 }

/** Test tools replace this method to catch connections. */
const { connect } = Socket.prototype

/**
 * Sends requests to the admin plane of a server over HTTP. It uses Node's own modules: `fetch`, timers and other globals may be those of a
 * DOM or of a test.
 */
export function sendOverHttp(
  admin: string,
  token: string | undefined,
  limitsOf: (target: string) => AnswerLimits = () => usualLimits,
  trust?: ServerTrust,
): Send {
  return async (method, target, body) => {
    const headers = {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    }
    try {
      const request = openRequest(`${admin}${target}`, { method, headers }, trust)
      request.end(body)
      return await readAnswer(request, limitsOf(target))
    } catch (error) {
      const message = `No pet-mock answers at ${admin}: ${reasonOf(error)}. Is it running?`
      throw new PetMockError('unreachable', message, { cause: error })
    }
  }
}

function openRequest(
  url: string,
  options: { readonly method: string; readonly headers: object },
  trust: ServerTrust | undefined,
) {
  if (/^https:/i.test(url))
    return requestHttps(url, {
      ...options,
      headers: { ...options.headers },
      ...(trust && { ...trust, agent: false }),
    })
  return requestHttp(url, {
    ...options,
    headers: { ...options.headers },
    createConnection: ({ host, port }) => Reflect.apply(connect, new Socket(), [{ host, port }]),
  })
}

function readAnswer(
  request: ClientRequest,
  { bytes, ms }: AnswerLimits,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => request.destroy(new Error(`no whole answer within ${ms / 1_000} s`)), ms)
    const fail = (error: Error) => {
      clearTimeout(timer)
      reject(error)
    }
    request.on('error', fail)
    request.on('response', (response: IncomingMessage) => {
      const chunks: Buffer[] = []
      let size = 0
      response.on('error', fail)
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > bytes) request.destroy(new Error(`the answer is longer than ${bytes / 1_048_576} MiB`))
        else chunks.push(chunk)
      })
      response.on('end', () => {
        clearTimeout(timer)
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') })
      })
    })
  })
}

/** Where a name has several addresses, the error of each is inside, and its own message is empty. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
