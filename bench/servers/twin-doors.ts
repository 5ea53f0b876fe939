import { bundledProgram } from '../bundle-programs.ts'
import { listTarget } from './pet-mock.ts'
import type { RunningServer, Server } from './server.ts'

/** Two doors of pet-mock's in one process: this one with something beside, and its plain twin on another port. */
export function twinDoors(folder: string, what: 'plane' | 'rules'): Server {
  const program = bundledProgram(folder, 'twin-doors')
  return {
    program: port => ({
      file: process.execPath,
      args: [program, what, String(port), String(otherPort(port))],
    }),
    target: listTarget,
    key: 'bench',
  }
}

/** Ends with the process of its twin. */
export function plainTwin(server: RunningServer): RunningServer {
  const url = new URL(server.url)
  url.port = String(otherPort(Number(url.port)))
  return { ...server, url: url.href, stop: async () => {} }
}

/** Below those that systems give to connections: the next one is soon taken by one. */
function otherPort(port: number): number {
  return 20_000 + (port % 10_000)
}
