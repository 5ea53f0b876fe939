import { readdirSync } from 'node:fs'
import { root } from '../program/pet-mock.ts'
import { cpuTime } from '../program/proc.ts'
import { type PetMock, startPetMock } from '../program/server.ts'
import type { Plant } from './run.ts'
import { countLog, type LogCounts } from './server-counts.ts'

export interface SoakedServer extends Pick<PetMock, 'port' | 'memory' | 'kill'> {
  readonly origin: string
  readonly log: LogCounts
  /** Descriptors that it has open, where the system says so. */
  readonly descriptors: () => number | undefined
  readonly cpuMs: () => number | undefined
  /** Ends it by SIGTERM, and after a minute by force. Resolves with its exit code, and all that it wrote to stderr. */
  readonly stop: () => Promise<{ readonly code: number | string; readonly stderr: string }>
}

/** Milliseconds that it has to end by itself. */
const stopMs = 60_000

/** Starts the command with every feature on, and with a state file. */
export async function startServer(stateFile: string, folder: string, plant?: Plant): Promise<SoakedServer> {
  const log: LogCounts = { calls: 0, dropped: 0, contract: 0, others: [] }
  const { child, port, memory, stderr, ended, kill } = await startPetMock({
    flags: [
      ...['--no-config', '--log-format', 'json', '--contract', '--state', stateFile],
      ...['--scenario', `${root}tools/soak/soak.yaml`],
    ],
    cwd: folder,
    preloads: plant === undefined ? [] : [new URL(`programs/plant-${plant}.mjs`, import.meta.url).href],
    onStdout: stdout => countLog(stdout, log),
  })
  return {
    ...{ port, origin: `http://127.0.0.1:${port}`, log, memory, kill },
    descriptors: () =>
      process.platform === 'linux' ? readdirSync(`/proc/${child.pid}/fd`).length : undefined,
    cpuMs: () => cpuTime(child.pid),
    stop: async () => {
      child.kill('SIGTERM')
      const timer = setTimeout(kill, stopMs)
      const code = await ended
      clearTimeout(timer)
      return { code, stderr: stderr() }
    },
  }
}
