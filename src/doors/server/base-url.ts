import { isIPv6 } from 'node:net'
import { adminPath } from '../admin/routing/address.ts'

/** A host as URLs write it. */
export function hostInUrl(host: string): string {
  return isIPv6(host) ? `[${host}]` : host
}

/** The host by which clients on this machine reach a server: nobody can connect to "every address". */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  return /^[0:]*$/.test(host) && isIPv6(host) ? '::1' : host
}

export function baseUrl(host: string, port: number): string {
  return `${originOf(host, port)}/v1`
}

export function adminUrl(host: string, port: number): string {
  return `${originOf(host, port)}${adminPath}`
}

/** Scheme and authority for clients on this machine. */
export function originOf(host: string, port: number): string {
  return `http://${hostInUrl(reachableHost(host))}:${port}`
}
