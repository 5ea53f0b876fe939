import { get, type IncomingMessage } from 'node:http'
import { adminPath } from '../../doors/admin/routing/address.ts'
import { reachableHost } from '../../doors/server/base-url.ts'
import { clip } from '../../service/call/echo.ts'
import { printable } from '../terminal/printable.ts'

/** Who listens on a port, as far as one short request can tell. */
export type Holder =
  | { readonly kind: 'pet-mock' | 'not-http' | 'unknown' }
  | { readonly kind: 'http'; readonly server: string | undefined }

const patienceMs = 500
const mostRead = 4_096

export function findHolder({
  host,
  port,
}: {
  readonly host: string
  readonly port: number
}): Promise<Holder> {
  return new Promise(resolve => {
    const request = get({ host: reachableHost(host), port, path: `${adminPath}/health`, agent: false })
    // One who takes a connection and says nothing for so long waits for something else than HTTP.
    let likely: Holder = { kind: 'not-http' }
    const timer = setTimeout(() => finish(likely), patienceMs)
    const finish = (holder: Holder) => {
      clearTimeout(timer)
      resolve(holder)
      request.destroy()
    }
    request.on('error', error => finish({ kind: isRefusal(error) ? 'unknown' : 'not-http' }))
    request.on('response', response => {
      let body = ''
      likely = httpServer(response)
      const judge = () => finish(isPetMock(response, body) ? { kind: 'pet-mock' } : likely)
      response.setEncoding('utf8').on('end', judge).on('error', judge)
      response.on('data', (chunk: string) => {
        body += chunk
        if (body.length > mostRead) judge()
      })
    })
  })
}

function isRefusal(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNREFUSED' || error.code === 'EHOSTUNREACH' || error.code === 'ETIMEDOUT'
}

/** A pet-mock says so, or asks for the token of its admin plane. */
function isPetMock({ statusCode }: IncomingMessage, body: string): boolean {
  return statusCode === 200
    ? /^\{"status":"ok","name":"pet-mock",/.test(body)
    : /^\{"code":"invalid_admin_token",/.test(body)
}

function httpServer({ headers: { server } }: IncomingMessage): Holder {
  return { kind: 'http', server: server === undefined ? undefined : clip(printable(`${server}`), 60) }
}
