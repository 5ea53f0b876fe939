import { join } from 'node:path'
import { listTarget } from './pet-mock.ts'
import type { RunningServer, Server } from './server.ts'

/** `pet-mock proxy` before a server that runs, as a user starts it. */
export function proxied(
  root: string,
  { url, server: { key } }: RunningServer,
  flags: readonly string[],
): Server {
  const command = join(root, 'dist/pet-mock.cjs')
  const upstream = `${new URL(url).origin}/v1`
  return {
    program: port => ({
      file: process.execPath,
      args: [command, 'proxy', upstream, '--port', String(port), '--log-format', 'silent', ...flags],
    }),
    target: listTarget,
    key,
  }
}
