/** Whether only this machine can reach a server on this host. */
export function isLoopback(host: string): boolean {
  return /^(?:127\.\d+\.\d+\.\d+|(?:.+\.)?localhost|::1)$/i.test(host)
}
