import { X509Certificate } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ServerTrust } from '../../library/client/exchange.ts'
import { readRunFiles } from './run-files.ts'

/**
 * Trusts the certificate that a running server of this user wrote into its run file, at that server's address. Undefined for
 * other servers.
 */
export async function serverTrust(url: string): Promise<ServerTrust | undefined> {
  const { origin, protocol } = new URL(url)
  const runs = protocol === 'https:' ? await readRunFiles() : []
  const certificate = runs.find(run => run.certificate && new URL(run.admin).origin === origin)?.certificate
  if (certificate === undefined) return undefined
  const { raw: expected } = new X509Certificate(certificate)
  return {
    ca: certificate,
    allowPartialTrustChain: true,
    // The same certificate is more than the same name.
    checkServerIdentity: (_host, { raw }) =>
      expected.equals(raw) ? undefined : new Error('another server has this address'),
  }
}

interface AskedOfServer {
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
