import { bundledProgram } from '../bundle-programs.ts'
import { listTarget } from './pet-mock.ts'
import type { Server } from './server.ts'

/** `node:http` and nothing else, answering from a recording. */
export function bare(folder: string, recording: string, firstStatus = 200): Server {
  const program = bundledProgram(folder, 'bare-server')
  return {
    program: port => ({ file: process.execPath, args: [program, String(port), recording] }),
    target: listTarget,
    key: 'bench',
    firstStatus,
  }
}
