import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { commandWords, plainEnvironment, root } from './pet-mock.ts'

/** Bytes after a collection of garbage. NaN once the server has ended. */
interface Memory {
  readonly heapUsed: number
  readonly external: number
  readonly rss: number
}

export interface PetMock {
  readonly child: ChildProcess
  readonly port: number
  readonly stderr: () => string
  readonly memory: () => Promise<Memory>
  /** Resolves with its exit code or signal. */
  readonly ended: Promise<number | string>
  readonly kill: () => void
}

interface Start {
  readonly flags: readonly string[]
  readonly cwd?: string
  readonly preloads?: readonly string[]
  readonly onStdout?: (stdout: Readable) => void
}

/** Starts the command on a free port. It ends with this process. Rejects with what it wrote if it does not listen. */
export async function startPetMock({ flags, cwd = root, preloads = [], onStdout }: Start): Promise<PetMock> {
  const modules = [new URL('memory-probe.mjs', import.meta.url).href, ...preloads]
  const words = ['--expose-gc', ...modules.flatMap(module => ['--import', module]), ...commandWords]
  const child = spawn(process.execPath, [...words, '--port', '0', ...flags], {
    cwd,
    env: plainEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = once(child, 'close').then(([code, signal]): number | string => {
    process.off('exit', kill)
    return signal ?? code
  })
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', text => {
    if (stderr.length < 1_000_000) stderr += text
  })
  if (child.stdout !== null) onStdout?.(child.stdout)
  const ready = await Promise.race([portOf(child), ended])
  if (typeof ready !== 'object') throw new Error(`The server does not start:\n${stderr}`)
  const unknown = { heapUsed: Number.NaN, external: Number.NaN, rss: Number.NaN }
  return {
    ...{ child, port: ready.port, ended, kill },
    stderr: () => stderr,
    memory: async () => {
      const answer = once(child, 'message')
      child.send('memory')
      const [memory] = await Promise.race([answer, ended.then(() => [unknown])])
      return memory
    },
  }
}

function portOf({ stdout }: ChildProcess): Promise<{ readonly port: number }> {
  return new Promise(resolve => {
    let text = ''
    const read = (chunk: Buffer) => {
      text += chunk
      const [, port] = /:(\d+)\/v1\b/.exec(text) ?? []
      if (port === undefined) return
      stdout?.off('data', read)
      resolve({ port: Number(port) })
    }
    stdout?.on('data', read)
  })
}
