import { adminUrl, hostInUrl, isListenError } from '../../doors/server/base-url.ts'
import { codeOf } from '../../library/files/read-file.ts'
import { refuseStart } from '../arguments/command.ts'
import type { Io } from '../terminal/io.ts'
import { identifyServer, type ServerIdentity } from './identify-server.ts'
import { findRunningServers, originOf } from './running-servers.ts'

interface Address {
  readonly host: string
  readonly port: number
}

/** Prints why the server cannot listen. Throws an error of another system call: that is a defect of pet-mock. */
export async function refuseToListen(error: unknown, address: Address, io: Io): Promise<number> {
  if (!isListenError(error)) throw error
  return refuseStart([await explain(error, address)], io)
}

async function explain(error: Error, { host, port }: Address): Promise<string> {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use by ${await describeListener({ host, port })}, or use --port 0 for any free port.`
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

/** What listens on a port, as far as run files and one request show, and how to stop it. */
async function describeListener({ host, port }: Address): Promise<string> {
  const admin = adminUrl({ host, port, isTls: false })
  const [running, listener] = await Promise.all([findRunningServers(), identifyServer(admin)])
  const start = listener.kind === 'pet-mock' ? listener.start : undefined
  const urls = [admin, adminUrl({ host, port, isTls: true })]
  const own = running.find(one => urls.includes(one.admin) || (start !== undefined && one.start === start))
  return own === undefined
    ? `${nameOf(listener)}. Stop it`
    : `another pet-mock, process ${own.pid}. Stop it with pet-mock stop --url ${originOf(own.admin)}`
}

function nameOf(listener: ServerIdentity): string {
  switch (listener.kind) {
    case 'pet-mock':
      return 'another pet-mock'
    case 'http':
      return listener.name === undefined ? 'an HTTP server' : `an HTTP server (${listener.name})`
    case 'unreachable':
      return 'another program'
    default:
      return 'something that does not speak HTTP'
  }
}
