import { hostInUrl } from '../../doors/server/base-url.ts'
import { findHolder, type Holder } from './port-holder.ts'

export interface Address {
  readonly host: string
  readonly port: number
}

/** Why the server cannot listen, and what to do about it, in a sentence or two. */
export async function explainListenError(error: Error, address: Address): Promise<string> {
  const { host, port } = address
  const where = `${hostInUrl(host)}:${port}`
  switch ('code' in error ? error.code : undefined) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is taken by ${nameOf(await findHolder(address))}. Stop it, or start with --port 0 to take any free one.`
    case 'EACCES':
      return port < 1024
        ? `Port ${port} cannot be opened: ports under 1024 need more rights than this process has. Choose another, such as --port 7387.`
        : `Port ${port} on ${host} cannot be opened: the system keeps it for itself. Choose another, or --port 0 for any free one.`
    case 'EADDRNOTAVAIL':
      return `${host} is not an address of this machine. --host 127.0.0.1 listens for this machine alone, --host 0.0.0.0 on every address that it has.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host ${host} is not known here. --host takes a name or an address of this machine, such as 127.0.0.1.`
    default:
      return `Cannot listen on ${where}: ${error.message}.`
  }
}

function nameOf(holder: Holder): string {
  switch (holder.kind) {
    case 'pet-mock':
      return 'another pet-mock'
    case 'http':
      return holder.server === undefined ? 'an HTTP server' : `an HTTP server (${holder.server})`
    case 'not-http':
      return 'something that does not speak HTTP'
    case 'unknown':
      return 'another program'
  }
}
