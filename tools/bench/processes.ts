import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { plainEnvironment } from '../program/pet-mock.ts'

export interface Program {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd?: string
  /** It answers questions: see programs/heap-reporter.ts. */
  readonly answers?: boolean
}

export interface Started {
  readonly pid: number | undefined
  readonly said: () => string
  /** Resolves, and never rejects, when it has ended; with how. */
  readonly ended: Promise<string>
  readonly ask: (question: string) => Promise<unknown>
  readonly stop: () => Promise<void>
}

/** Milliseconds that a server has to end by itself. */
const stopMs = 2_000

/** Everything that the bench has started: it ends all of it, and nothing else. */
export class Processes {
  readonly #running = new Set<ChildProcess>()

  start(program: Program): Started {
    const child = this.#spawn(program)
    let text = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', chunk => {
        text = (text + chunk).slice(-2_000)
      })
    }
    const ended = howItEnds(child)
    const stop = async () => {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), stopMs)
      await ended
      clearTimeout(timer)
    }
    const ask = async (question: string) => {
      const answer = once(child, 'message')
      child.send(question)
      const [message] = await Promise.race([answer, ended.then(how => Promise.reject(new Error(how)))])
      return message
    }
    return { pid: child.pid, said: () => text.trim(), ended, ask, stop }
  }

  /** Runs a program to its end, and resolves with its stdout. Rejects with what it complained of. */
  async run(program: Program, timeoutMs: number): Promise<string> {
    const child = this.#spawn(program)
    const text = { stdout: '', stderr: '' }
    child.stdout?.setEncoding('utf8').on('data', chunk => {
      text.stdout += chunk
    })
    child.stderr?.setEncoding('utf8').on('data', chunk => {
      text.stderr += chunk
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
    const how = await howItEnds(child)
    clearTimeout(timer)
    if (child.exitCode === 0) return text.stdout
    throw new Error(`${program.file} ${how}: ${(text.stderr || text.stdout).trim().slice(0, 500)}`)
  }

  /** At once, for when the bench itself is stopped. */
  endAll(): void {
    for (const child of this.#running) child.kill('SIGKILL')
  }

  #spawn({ file, args, cwd, answers }: Program): ChildProcess {
    const child = spawn(file, args, {
      env: plainEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe', ...(answers === true ? (['ipc'] as const) : [])],
      ...(cwd !== undefined && { cwd }),
    })
    this.#running.add(child)
    child.once('close', () => this.#running.delete(child)).once('error', () => this.#running.delete(child))
    return child
  }
}

async function howItEnds(child: ChildProcess): Promise<string> {
  try {
    const [code, signal] = await once(child, 'close')
    return signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`
  } catch (error) {
    return `could not be started (${error instanceof Error ? error.message : String(error)})`
  }
}

const programs = ['bare-server', 'calls', 'doors', 'first-mock', 'heap-reporter', 'sizes', 'twin-doors']

export function bundledProgram(folder: string, name: string): string {
  return join(folder, 'programs', `${name}.mjs`)
}

/**
 * What is measured in a process of its own runs as plain, bundled JavaScript, as the package does: a loader that turns
 * TypeScript into JavaScript would be measured too.
 */
export async function bundlePrograms(root: string, folder: string): Promise<void> {
  const bundle = await rolldown({
    input: Object.fromEntries(programs.map(name => [name, join(root, 'tools/bench/programs', `${name}.ts`)])),
    platform: 'node',
  })
  await bundle.write({
    dir: join(folder, 'programs'),
    format: 'esm',
    minify: true,
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  })
  await bundle.close()
}
