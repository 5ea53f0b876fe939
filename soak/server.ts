import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { plainEnvironment } from '../bench/processes.ts'
import { cpuTime } from '../bench/servers/proc.ts'
import { countLog, type LogCounts } from './log-counts.ts'
import type { Plant } from './options.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

export interface Memory {
  /** Bytes that are alive after a collection of garbage, buffers included. */
  readonly alive: number
  /** Bytes of the process that are in memory. */
  readonly resident: number
}

export interface SoakedServer {
  readonly origin: string
  readonly port: number
  readonly log: LogCounts
  readonly memory: () => Promise<Memory>
  /** Descriptors that it has open, where the system says so. */
  readonly descriptors: () => number | undefined
  readonly cpuMs: () => number | undefined
  /** Ends it by SIGTERM, and after a minute by force. Resolves with its exit code, and all that it wrote to stderr. */
  readonly stop: () => Promise<{ readonly code: number | null; readonly stderr: string }>
  readonly kill: () => boolean
}

/** Milliseconds that it has to end by itself. */
const stopMs = 60_000

/** Starts the command with every feature on, and with a state file. */
export async function startServer(stateFile: string, folder: string, plant?: Plant): Promise<SoakedServer> {
  const built = join(root, 'dist/pet-mock.cjs')
  const words = existsSync(built)
    ? [built]
    : ['--import', import.meta.resolve('tsx'), join(root, 'src/cli/main.ts')]
  const preloads = ['tell-memory', ...(plant === undefined ? [] : [`plant-${plant}`])].flatMap(name => [
    '--import',
    new URL(`programs/${name}.mjs`, import.meta.url).href,
  ])
  const flags = [
    '--port',
    '0',
    '--no-config',
    '--log-format',
    'json',
    '--contract',
    'warn',
    '--state',
    stateFile,
  ]
  const scenario = join(root, 'soak/soak.yaml')
  const child = spawn(
    process.execPath,
    ['--expose-gc', ...preloads, ...words, ...flags, '--scenario', scenario],
    {
      cwd: folder,
      env: plainEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    },
  )
  const kill = () => child.kill('SIGKILL')
  // A soak that is stopped leaves no server behind.
  process.once('exit', kill)
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', text => {
    stderr = (stderr + text).slice(0, 20_000)
  })
  const ended = once(child, 'close').then(([code]) => {
    process.off('exit', kill)
    return { code: code as number | null, stderr }
  })
  let log: LogCounts | undefined
  const ready = await Promise.race([
    new Promise<string>(resolve => {
      if (child.stdout !== null) log = countLog(child.stdout, resolve)
    }),
    ended,
  ])
  if (typeof ready !== 'string' || log === undefined) throw new Error(`the server did not start: ${stderr}`)
  const { origin, port } = new URL((JSON.parse(ready) as { url: string }).url)
  const wire = child.stdio[3] as Readable & NodeJS.WritableStream
  const lines = createInterface({ input: wire })
  return {
    ...{ origin, port: Number(port), log },
    memory: async () => {
      const line = once(lines, 'line')
      wire.write('?')
      const [text] = await Promise.race([line, ended.then(() => [''])])
      const { heapUsed, external, rss }: Record<string, number> = JSON.parse(text || '{}')
      return { alive: (heapUsed ?? Number.NaN) + (external ?? Number.NaN), resident: rss ?? Number.NaN }
    },
    descriptors: () =>
      process.platform === 'linux' ? readdirSync(`/proc/${child.pid}/fd`).length : undefined,
    cpuMs: () => cpuTime(child.pid),
    stop: async () => {
      child.kill('SIGTERM')
      const timer = setTimeout(kill, stopMs)
      const end = await ended
      clearTimeout(timer)
      return end
    },
    kill,
  }
}
