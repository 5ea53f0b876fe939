import { bundledProgram } from '../bundle-programs.ts'
import type { NotRun } from '../not-run.ts'
import { isNotRun } from '../not-run.ts'
import type { Server } from './server.ts'

/** The same server, in a process that says what it allocates. Only for servers that run in Node. */
export function withHeapReporter<Given extends Server | NotRun>(folder: string, server: Given): Given {
  if (isNotRun(server)) return server
  const reporter = bundledProgram(folder, 'heap-reporter')
  const program = (port: number) => {
    const { args, ...rest } = server.program(port)
    return { ...rest, args: ['--import', reporter, ...args], answers: true }
  }
  return { ...server, program }
}
