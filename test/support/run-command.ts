import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { commands } from '../../src/cli/commands.ts'
import { run } from '../../src/cli/run.ts'
import type { Io, TextStream } from '../../src/cli/terminal/io.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const bundle = `${root}dist/pet-mock.cjs`

const otherCommand = process.env.PET_MOCK_TEST_COMMAND

/**
 * The program and the first words of the command as users run it, or, in a clone that is not built, from its source.
 * PET_MOCK_TEST_COMMAND names an executable in its place, such as dist-binary/pet-mock.
 */
export const commandWords: readonly string[] =
  otherCommand !== undefined
    ? [resolve(root, otherCommand)]
    : existsSync(bundle)
      ? [process.execPath, bundle]
      : [process.execPath, '--import', import.meta.resolve('tsx'), `${root}src/cli/main.ts`]

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Runs first, in the shell whose process then becomes the command, such as `ulimit -f 4000`. */
  readonly shell?: string
  /** Standard input. Default: empty. */
  readonly input?: string
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** What a command printed about mistakes, without the last line, which names pages. */
export function withoutPages(stderr: string): string {
  return stderr.replace(/^More: .*\n$/m, '')
}

/** The command under way. What is still running when its test is over is ended. */
export interface Running {
  readonly child: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  /** Resolves when stdout holds what the pattern looks for; rejects when the command ends without it. */
  readonly until: (pattern: RegExp) => Promise<RegExpExecArray>
  /** The same for stderr. */
  readonly untilTold: (pattern: RegExp) => Promise<RegExpExecArray>
  readonly ended: Promise<Ended>
}

export interface Ready {
  readonly event: 'ready'
  readonly url: string
  readonly admin: string
  /** With --base-url. */
  readonly baseUrl?: string
  /** With --host 0.0.0.0. */
  readonly network?: readonly string[]
  /** With --tls. */
  readonly certificate?: string
  readonly scenario: string
  readonly key: string
  readonly keys: Readonly<Record<string, string>>
  readonly config?: string
  readonly version: string
  readonly pid: number
}

export function spawnCommand(
  args: readonly string[],
  { env = {}, cwd = root, shell, input }: RunOptions = {},
): Running {
  const words = [...commandWords, ...args]
  const [program = '', ...rest] =
    shell === undefined ? words : ['/bin/sh', '-c', `${shell}; exec "$0" "$@"`, ...words]
  const child = spawn(program, rest, {
    cwd,
    env: { ...plainEnvironment(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // A command may stop reading.
  child.stdin.on('error', () => {}).end(input)
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  const ended = once(child, 'close').then(([code, signal]) => ({
    code,
    signal,
    stdout: stdout(),
    stderr: stderr(),
  }))
  const untilIn = (stream: NodeJS.ReadableStream, text: () => string) => async (pattern: RegExp) => {
    for (;;) {
      const found = pattern.exec(text())
      if (found !== null) return found
      const more = await Promise.race([once(stream, 'data'), ended])
      if ('code' in more)
        throw new Error(`The command ended without ${pattern}:\n${more.stdout}${more.stderr}`)
    }
  }
  const until = untilIn(child.stdout, stdout)
  const untilTold = untilIn(child.stderr, stderr)
  return { child, stdout, stderr, until, untilTold, ended }
}

/** Runs the command to its end, in a process of its own. */
export function runProcess(args: readonly string[], options?: RunOptions): Promise<Ended> {
  return spawnCommand(args, options).ended
}

/** Commands whose output is that of another program, or for another one. */
const ownProcess = /^(?:proxy|exec|mcp)$/
/** Node and the system read other variables of the process itself. */
const readByCommand = /^(?:PET_MOCK_|GITHUB_)/

/** Runs the command to its end: in this process, which takes a tenth of the time, if it can. */
export function runCommand(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { env = {}, shell, input } = options
  const needsProcess =
    otherCommand !== undefined ||
    ownProcess.test(args[0] ?? '') ||
    Object.keys(env).some(name => !readByCommand.test(name)) ||
    shell !== undefined ||
    input !== undefined
  return needsProcess || isRunning ? runProcess(args, options) : runHere(args, options)
}

let isRunning = false

/** Runs the command to its end, in this process. One command at a time: it has the working directory of the process. */
export async function runHere(
  args: readonly string[],
  { env = {}, cwd = root }: RunOptions = {},
): Promise<Ended> {
  const [stdout, stderr] = [keep(), keep()]
  const io: Io = {
    env: { ...plainEnvironment(), ...env },
    pid: process.pid,
    stdout,
    stderr,
    onSignal: () => {},
    isSentToAll: () => false,
    isInteractive: () => false,
    exit: code => {
      throw new Error(`The command ended the process with ${code}.`)
    },
  }
  const before = process.cwd()
  isRunning = true
  process.chdir(cwd)
  try {
    const code = await run(args, async () => commands, io)
    return { code, signal: null, stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    process.chdir(before)
    isRunning = false
  }
}

function keep(): TextStream & { readonly text: () => string } {
  let text = ''
  return {
    writableLength: 0,
    write: (piece, done) => {
      text += piece
      done?.()
      return true
    },
    on: () => {},
    text: () => text,
  }
}

/** Serves on a free port, and resolves with the ready line. */
export async function serveJson(
  args: readonly string[] = [],
  options?: RunOptions,
): Promise<Running & { readonly ready: Ready }> {
  const running = spawnCommand(['--port', '0', '--log-format', 'json', ...args], options)
  const [line] = await running.until(/^.+(?=\n)/)
  return { ...running, ready: JSON.parse(line) }
}

/** Nothing of what whoever runs the tests has set may change what the command does. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const ours = /^(?:PET_MOCK_|npm_config_|INIT_CWD$|NO_COLOR$|FORCE_COLOR$|NODE_OPTIONS$|GITHUB_ACTIONS$|_$)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)))
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', chunk => {
    text += chunk
  })
  return () => text
}
