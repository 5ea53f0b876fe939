import { get, type IncomingMessage } from 'node:http'
import { adminPath } from '../../doors/admin/routing/address.ts'
import { hostInUrl, reachableHost } from '../../doors/server/base-url.ts'
import { clip } from '../../service/call/echo.ts'
import { refuseStart } from '../arguments/usage-error.ts'
import type { Io } from '../terminal/io.ts'
import { printable } from '../terminal/printable.ts'

interface Address {
  readonly host: string
  readonly port: number
}

/** Prints why the server cannot listen. Throws an error that names no system call: that is a defect of pet-mock. */
export async function refuseToListen(
  error: unknown,
  address: Address,
  io: Pick<Io, 'stderr'>,
): Promise<number> {
  if (!(error instanceof Error && 'syscall' in error)) throw error
  return refuseStart([await explain(error, address)], io)
}

async function explain(error: Error, { host, port }: Address): Promise<string> {
  switch ('code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use by ${await describeListener({ host, port })}. Stop it, or use --port 0 for any free port.`
    case 'EACCES':
      return port < 1024
        ? `Cannot open port ${port}: ports below 1024 need more privileges. Use another one, such as --port 7387.`
        : `Cannot open port ${port} on ${host}: the system reserves it. Use another one, or --port 0 for any free port.`
    case 'EADDRNOTAVAIL':
      return `${host} is not an address of this machine. Use --host 127.0.0.1 for this machine only, or --host 0.0.0.0 for all its addresses.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `Unknown host ${host}. --host takes a name or an address of this machine, such as 127.0.0.1.`
    default:
      return `Cannot listen on ${hostInUrl(host)}:${port}: ${error.message}.`
  }
}

const patienceMs = 1_500
const mostRead = 4_096
const notHttp = 'something that does not speak HTTP'

/** What listens on a port, as far as one short request shows. */
function describeListener({ host, port }: Address): Promise<string> {
  return new Promise(resolve => {
    const request = get({ host: reachableHost(host), port, path: `${adminPath}/health`, agent: false })
    // A server that accepts the connection and stays silent expects another protocol.
    let likely = notHttp
    const timer = setTimeout(() => finish(likely), patienceMs)
    const finish = (listener: string) => {
      clearTimeout(timer)
      resolve(listener)
      request.destroy()
    }
    request.on('error', error => finish(isUnreachable(error) ? 'another program' : notHttp))
    request.on('response', response => {
      let body = ''
      likely = describeHttpServer(response)
      const judge = () => finish(isPetMock(response, body) ? 'another pet-mock' : likely)
      response.setEncoding('utf8').on('end', judge).on('error', judge)
      response.on('data', (chunk: string) => {
        body += chunk
        if (body.length > mostRead) judge()
      })
    })
  })
}

function isUnreachable({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ECONNREFUSED' || code === 'EHOSTUNREACH' || code === 'ETIMEDOUT'
}

/** pet-mock answers with its health, or demands the token of its admin plane. */
function isPetMock({ statusCode }: IncomingMessage, body: string): boolean {
  return statusCode === 200
    ? /^\{"status":"ok","name":"pet-mock",/.test(body)
    : /^\{"code":"invalid_admin_token",/.test(body)
}

function describeHttpServer({ headers: { server } }: IncomingMessage): string {
  return server === undefined ? 'an HTTP server' : `an HTTP server (${clip(printable(`${server}`), 60)})`
}
