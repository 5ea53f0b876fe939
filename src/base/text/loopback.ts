/** The host of a URL for a socket: without the brackets that a URL puts around IPv6 addresses. */
export function hostOf({ hostname }: { readonly hostname: string }): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

/** Whether only this machine can reach a server on this host. */
export function isLoopback(host: string): boolean {
  return /^(?:127\.\d+\.\d+\.\d+|(?:.+\.)?localhost|::1)$/i.test(host)
}
