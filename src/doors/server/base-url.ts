import { adminPath } from '../admin/routing/address.ts'

/** A host as URLs write it. Only an IPv6 address has a colon: the pattern of `isIPv6` would take 3 ms of each start. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

/** The host by which clients on this machine reach a server: nobody can connect to "every address". */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  return /^[0:]*:[0:]*$/.test(host) ? '::1' : host
}

export interface Listening {
  readonly host: string
  readonly port: number
  readonly isTls: boolean
}

export function baseUrl(server: Listening): string {
  return `${originOf(server)}/v1`
}

export function adminUrl(server: Listening): string {
  return `${originOf(server)}${adminPath}`
}

/** Scheme and authority for clients on this machine. */
export function originOf({ host, port, isTls }: Listening): string {
  return `${isTls ? 'https' : 'http'}://${hostInUrl(reachableHost(host))}:${port}`
}

/** Whether the system refused an address, and not the read of a file, for example. */
export function isListenError(error: unknown): error is Error {
  const { syscall } = Object(error)
  return error instanceof Error && ['listen', 'bind', 'getaddrinfo'].includes(syscall)
}
