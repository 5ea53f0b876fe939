import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import spawn from 'cross-spawn'
import { groupDigits } from '../../base/text/quantities.ts'
import { adminUrl, baseUrl, type Listening } from '../../doors/server/base-url.ts'
import type { CommandEnd } from '../../judges/rehearsal/client-run.ts'
import { isDirectory } from '../../library/files/folders.ts'
import { codeOf } from '../../library/files/read-file.ts'
import { type Handed, handedVariables, type NamedVariable } from '../arguments/server-flags.ts'
import { readStat } from '../start/state/lock-owner.ts'
import { type Environment, exitCodes } from '../terminal/io.ts'
import { shellWords } from '../terminal/text.ts'

/** The words of the command after `--`. Some shells and npm take the first `--`: people write `-- --` there, and may write it everywhere. */
export function commandOf(words: readonly string[]): readonly string[] {
  const start = words.findIndex(word => word !== '--')
  return start === -1 ? [] : words.slice(start)
}

/** Complaints about a command that cannot be one. `name`: of the command of pet-mock that runs it. */
export function checkCommand(name: string, [program]: readonly string[]): readonly string[] {
  if (program === undefined)
    return [`Expected: pet-mock ${name} -- COMMAND, such as pet-mock ${name} -- npm test`]
  return program === '' ? ['The command after -- is empty. Is a variable unset?'] : []
}

/** The environment of a command that pet-mock runs: our own variables would change a pet-mock inside it. */
export function withoutOwn(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^PET_MOCK_(?!TEST_)/.test(name)))
}

export function clientVariables(server: Listening, key: string, named: readonly NamedVariable[]) {
  const values: Readonly<Record<Handed, string>> = { url: baseUrl(server), key, admin: adminUrl(server) }
  const usual = Object.entries(handedVariables).map(([what, name]) => ({ name, value: what as Handed }))
  return Object.fromEntries([...usual, ...named].map(({ name, value }) => [name, values[value]]))
}

/** A command that ran, or why it did not: the exit code for pet-mock and the text to print. */
export type CommandRun =
  | {
      readonly ok: true
      readonly outcome: CommandEnd
      /** In milliseconds since the epoch. */
      readonly endedAt: number
      readonly durationMs: number
      readonly output: string
    }
  | NotRun

export interface NotRun {
  readonly ok: false
  readonly exitCode: number
  /** Empty for a run that `stop` ended. */
  readonly text: string
}

export interface CommandOptions {
  readonly env: Environment
  /** In real time. */
  readonly timeoutMs: number
  readonly stop?: AbortSignal | undefined
  /** Kills a command that is being ended. */
  readonly hurry?: AbortSignal | undefined
  readonly onPid?: (pid: number) => void
}

/** How long output that is on its way may take after the end of the command, in milliseconds. */
const drainMs = 250

/** Runs a command in its own process group, without input. Resolves when no process of the group is left. */
export async function runCommand(
  command: readonly string[],
  { env, timeoutMs, stop, hurry, onPid }: CommandOptions,
): Promise<CommandRun> {
  if (stop?.aborted === true) return stopped
  const startedAt = performance.now()
  const started = await start(command, env)
  if (!started.ok) return started
  const { child, pid } = started
  onPid?.(pid)
  const tail = createOutputTail()
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', tail.add).on('error', () => {})
  const closed = new Promise(resolve => child.once('close', resolve))
  const ended = new Promise<number>(resolve => {
    child.once('exit', (code, signal) => resolve(exitCodeOf(code, signal)))
  })
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, ...(stop === undefined ? [] : [stop])])
  const limit = sleep(timeoutMs, 'late' as const, { signal }).catch(() => 'stopped' as const)
  const first = await Promise.race([ended, limit])
  over.abort()
  const endedAt = Date.now()
  const durationMs = Math.round(performance.now() - startedAt)
  // A command may leave processes in its group: their server closes now. Elsewhere, its process id may have a new owner.
  if (hasGroups || typeof first === 'string') await endGroup(pid, hurry)
  await Promise.race([closed, sleep(drainMs, undefined, { ref: false })])
  // A process that left the group may keep these open.
  for (const stream of [child.stdout, child.stderr]) stream?.destroy()
  child.unref()
  if (first === 'stopped') return stopped
  const outcome: CommandEnd =
    first === 'late' ? { kind: 'hung', afterMs: timeoutMs } : { kind: 'exited', exitCode: first }
  return { ok: true, outcome, endedAt, durationMs, output: tail.text() }
}

export const stopped: NotRun = { ok: false, exitCode: exitCodes.SIGINT, text: '' }

/** The exit code of an ended command, as a shell reports it: for one that a signal ended, 128 plus its number. */
export function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  return signal === null ? (code ?? exitCodes.fine) : 128 + constants.signals[signal]
}

async function start([program = '', ...args]: readonly string[], env: Environment) {
  try {
    // On Windows, `detached` would open a window.
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env, detached: hasGroups })
    if (child.pid === undefined) throw (await once(child, 'error'))[0]
    child.on('error', () => {})
    return { ok: true as const, child, pid: child.pid }
  } catch (error) {
    if (!isSpawnError(error)) throw error
    return { ok: false as const, ...explainSpawnError(error, program) }
  }
}

/** Windows has no process groups, and no signals that a program can handle. */
const hasGroups = process.platform !== 'win32'

/** How long processes may take to end after SIGTERM, in milliseconds. */
const graceMs = 2_000
const lookMs = 10

/**
 * Ends all processes of a command's group: SIGTERM, and SIGKILL for what still runs after the grace time or once
 * `hurry` aborts. Processes that left the group run on.
 */
async function endGroup(pid: number, hurry?: AbortSignal): Promise<void> {
  if (!signalGroup(pid, 'SIGTERM')) return
  const end = performance.now() + graceMs
  while (performance.now() < end && hurry?.aborted !== true) {
    if (!isRunning(pid)) return
    await sleep(lookMs)
  }
  signalGroup(pid, 'SIGKILL')
}

/** Sends a signal to a group. Returns false if no process got it. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    // With the processes that it started: npm is a script on Windows, whose shell would end alone.
    const endTree = () => spawnSync('taskkill', ['/pid', `${pid}`, '/t', '/f'], { stdio: 'ignore' })
    if (!hasGroups && signal !== 0 && endTree().status === 0) return true
    return process.kill(hasGroups ? -pid : pid, signal)
  } catch {
    return false
  }
}

/** Ended processes may stay in a group: in a container, often nobody waits for orphans. */
function isRunning(pid: number): boolean {
  if (!signalGroup(pid, 0)) return false
  if (process.platform !== 'linux') return true
  return readdirSync('/proc').some(name => {
    const stat = /^\d+$/.test(name) ? readStat(name) : undefined
    return stat?.group === `${pid}` && stat.state !== 'Z' && stat.state !== 'X'
  })
}

/** What a person may read, and a certificate with many runs can hold. */
const mostBytes = 65_536

/** Keeps the end of an output of any length. */
function createOutputTail() {
  let kept = Buffer.alloc(0)
  let written = 0
  return {
    add: (bytes: Buffer) => {
      written += bytes.length
      kept = Buffer.concat([kept, bytes]).subarray(-mostBytes)
    },
    /** Bytes that are not UTF-8 become U+FFFD. */
    text: () => {
      const decoder = new TextDecoder()
      if (written <= mostBytes) return decoder.decode(kept)
      // The start of the first line is lost. It goes, unless nothing else is left.
      const end = kept.indexOf(0x0a)
      const whole = end === kept.length - 1 ? kept : kept.subarray(end + 1)
      return `[${groupDigits(written - whole.length)} earlier bytes are left out]\n${decoder.decode(whole)}`
    },
  }
}

/** True for a refusal of the system or of Node's permission model. Node throws some, and emits others as an event. */
export function isSpawnError(error: unknown): error is Error {
  return error instanceof Error && ('syscall' in error || codeOf(error) === denied)
}

const denied = 'ERR_ACCESS_DENIED'

export function explainSpawnError(error: Error, program: string) {
  const name = shellWords([program])
  const isPath = /[/\\]/.test(program)
  switch (codeOf(error)) {
    case 'ENOENT':
      return isPath && existsSync(program)
        ? cannot(`${name} cannot be run: the interpreter that its first line names does not exist.`)
        : { exitCode: exitCodes.notFound, text: `${name}: command not found${hintFor(program, isPath)}` }
    case 'EACCES':
      return cannot(
        isPath && isDirectory(program)
          ? `${name} cannot be run: it is a directory.`
          : `${name} cannot be run: it is not executable; use chmod +x.`,
      )
    case 'E2BIG':
      return cannot(
        `${name} cannot be run: its arguments and the environment are longer than the system allows.`,
      )
    case denied:
      return cannot(
        `${name} cannot be run: Node's permission model allows no other programs; add --allow-child-process.`,
      )
    default:
      return cannot(`${name} cannot be run (${error.message}).`)
  }
}

function cannot(text: string) {
  return { exitCode: exitCodes.cannotBeRun, text }
}

function hintFor(program: string, isPath: boolean): string {
  if (/\s/.test(program) && !existsSync(program))
    return `. It is one word with spaces: remove the quotes, or use ${shellWords(['sh', '-c', program])}`
  if (!isPath && existsSync(join('node_modules', '.bin', program)))
    return `. It is in node_modules/.bin: did you mean ${shellWords(['npx', program])}?`
  return isPath ? '.' : '. It is not in any directory of PATH.'
}
