import { bundledProgram } from '../bundle-programs.ts'
import { listTarget } from './pet-mock.ts'
import type { RunningServer, Server } from './server.ts'

/** pet-mock's door with the admin plane beside the API; on another port of the same process, with no trace of it. */
export function door(folder: string): Server {
  const program = bundledProgram(folder, 'door')
  return {
    program: port => ({ file: process.execPath, args: [program, String(port), String(otherPort(port))] }),
    target: listTarget,
    key: 'bench',
  }
}

export function withoutPlane(server: RunningServer): RunningServer {
  const url = new URL(server.url)
  url.port = String(otherPort(Number(url.port)))
  return { ...server, url: url.href, stop: async () => {} }
}

/** Below those that systems give to connections: the next one is soon taken by one. */
function otherPort(port: number): number {
  return 20_000 + (port % 10_000)
}
