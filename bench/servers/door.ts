import { bundledProgram } from '../bundle-programs.ts'
import { listTarget } from './pet-mock.ts'
import type { Server } from './server.ts'

/** pet-mock's door, with the admin plane beside the API or with no trace of it. */
export function door(folder: string, plane: 'with' | 'without'): Server {
  const program = bundledProgram(folder, 'door')
  return {
    program: port => ({ file: process.execPath, args: [program, String(port), plane] }),
    target: listTarget,
    key: 'bench',
  }
}
