import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { plainEnvironment } from '../../bench/processes.ts'
import { Broken } from '../lane.ts'

/** A server that is fuzzed. */
export interface Server {
  readonly port: number
  /** Bytes of heap after a garbage collection. */
  readonly heap: () => Promise<number>
  /** Rejects if the server ended or reported a defect of its own since the last look. */
  readonly expectSound: () => void
  readonly stop: () => Promise<void>
}

export type StartServer = () => Promise<Server>

const root = fileURLToPath(new URL('../..', import.meta.url))
const { bin }: { readonly bin: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(`${root}package.json`, 'utf8'),
)
const bundle = `${root}${bin['pet-mock']}`

/** The command as users run it; in a clone without a build, from its source. */
export const commandWords = existsSync(bundle)
  ? [bundle]
  : ['--import', import.meta.resolve('tsx'), `${root}src/cli/main.ts`]

/** Starts the command on a free port. Rejects with what it wrote if it does not listen. */
export async function startPetMock(): Promise<Server> {
  const probe = ['--expose-gc', '--import', new URL('probe.mjs', import.meta.url).href]
  const child = spawn(
    process.execPath,
    [...probe, ...commandWords, '--port', '0', '--log-format', 'silent'],
    { cwd: root, env: plainEnvironment(), stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  )
  const stop = () => child.kill('SIGKILL')
  process.once('exit', stop)
  const stderr = lastOf(child.stderr)
  const port = await portOf(child, stderr)
  let told = 0
  return {
    port,
    heap: async () => {
      child.send('heap')
      const [bytes] = await once(child, 'message')
      return Number(bytes)
    },
    expectSound: () => {
      const text = stderr().slice(told)
      told = stderr().length
      if (/pet-mock failed|Warning: /.test(text)) throw new Broken(`The server reported a defect:\n${text}`)
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Broken(`The server ended with ${child.signalCode ?? child.exitCode}:\n${stderr()}`)
    },
    stop: async () => {
      process.off('exit', stop)
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'close')
    },
  }
}

async function portOf(child: ChildProcess, stderr: () => string): Promise<number> {
  const stdout = lastOf(child.stdout)
  const ended = once(child, 'close')
  for (;;) {
    const found = /:(\d+)\/v1\n/.exec(stdout())
    if (found !== null) return Number(found[1])
    const more = await Promise.race([child.stdout && once(child.stdout, 'data'), ended.then(() => undefined)])
    if (more === undefined) throw new Error(`The server does not start:\n${stderr()}`)
  }
}

/** What a stream wrote, of which the first megabyte is enough. */
function lastOf(stream: NodeJS.ReadableStream | null): () => string {
  let text = ''
  stream?.setEncoding('utf8').on('data', chunk => {
    if (text.length < 1_000_000) text += chunk
  })
  return () => text
}
