/** Whether only this machine can reach what listens there. */
export function isLoopback(host: string): boolean {
  return /^(?:127\.\d+\.\d+\.\d+|(?:.+\.)?localhost|::1)$/i.test(host)
}
