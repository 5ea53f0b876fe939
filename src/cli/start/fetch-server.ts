import { Readable } from 'node:stream'
import type { ServerTrust } from '../../library/client/send-over-http.ts'
import { serverTrust } from './server-trust.ts'

export interface AskedOfServer {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | null
  readonly signal: AbortSignal
  /** A redirect could lead anywhere. */
  readonly redirect: 'manual'
}

/** Like `fetch`, but also trusts the certificate in the run file of a server of this user. */
export async function fetchServer(url: string, asked: AskedOfServer): Promise<Response> {
  const trust = await serverTrust(url)
  return trust === undefined ? fetch(url, asked) : fetchTrusting(url, asked, trust)
}

async function fetchTrusting(
  url: string,
  { method = 'GET', headers, body, signal }: AskedOfServer,
  trust: ServerTrust,
): Promise<Response> {
  const { request } = await import('node:https')
  return new Promise((resolve, reject) => {
    const options = {
      method,
      ...(headers && { headers }),
      signal,
      agent: false,
      ...trust,
    }
    const sent = request(url, options, response => {
      const { statusCode: status = 0, rawHeaders } = response
      const lines = rawHeaders.flatMap((name, at): [string, string][] =>
        at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : [],
      )
      const isEmpty = status === 204 || status === 304
      if (isEmpty) response.resume()
      const stream = isEmpty ? null : (Readable.toWeb(response) as ReadableStream<Uint8Array>)
      resolve(new Response(stream, { status, headers: lines }))
    })
    sent.on('error', cause =>
      reject(signal.aborted ? signal.reason : new TypeError('fetch failed', { cause })),
    )
    sent.end(body ?? undefined)
  })
}
