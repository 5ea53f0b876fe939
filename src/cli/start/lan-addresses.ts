import { isIPv6 } from 'node:net'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { reachableHost } from '../../doors/server/base-url.ts'

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>

/** Containers can add many. */
const mostShown = 5

/** The addresses by which other machines reach a server that listens on every address; none for other servers. */
export function lanAddresses(host: string, interfaces?: Interfaces): readonly string[] {
  if (reachableHost(host) === host) return []
  return Object.values(interfaces ?? networkInterfaces())
    .flatMap(addresses => addresses ?? [])
    .filter(({ internal, family }) => !internal && (family === 'IPv4' || isIPv6(host)))
    .map(({ address }) => address)
    .filter(address => !/^fe80:/i.test(address))
    .slice(0, mostShown)
}
