import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import spawn from 'cross-spawn'
import type { Outcome } from '../../judges/rehearsal/client-run.ts'
import { type Environment, exitCodes } from '../terminal/io.ts'
import { explainSpawnError, isSpawnError } from './explain-spawn-error.ts'
import { createOutputTail } from './output-tail.ts'
import { endGroup, hasGroups } from './process-group.ts'

/** A command that ran, or why it did not: the exit code for pet-mock and the text to print. */
export type CommandRun =
  | {
      readonly ok: true
      readonly outcome: Outcome
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
  /** Ends the command. */
  readonly stop?: AbortSignal | undefined
  /** Kills a command that is being ended. */
  readonly hurry?: AbortSignal | undefined
}

/** How long output that is on its way may take after the end of the command, in milliseconds. */
const drainMs = 250

/**
 * Runs a command in a process group of its own, without input. Resolves when no process of the group is left, with the
 * end of the output.
 */
export async function runCommand(
  command: readonly string[],
  { env, timeoutMs, stop, hurry }: CommandOptions,
): Promise<CommandRun> {
  if (stop?.aborted === true) return stopped
  const startedAt = performance.now()
  const started = await start(command, env)
  if (!('child' in started)) return started
  const { child, pid } = started
  const tail = createOutputTail()
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', tail.add).on('error', () => {})
  const closed = new Promise(resolve => child.once('close', resolve))
  const ended = new Promise<number>(resolve => {
    child.once('exit', (code, signal) => resolve(exitCodeOf(code, signal)))
  })
  const first = await firstOf(ended, timeoutMs, stop)
  const endedAt = Date.now()
  const durationMs = Math.round(performance.now() - startedAt)
  // A command may leave processes in its group: their server closes now. Elsewhere, its process id may have a new owner.
  if (hasGroups || typeof first === 'string') await endGroup(pid, hurry)
  await Promise.race([closed, after(drainMs)])
  // A process that left the group may keep these open.
  for (const stream of [child.stdout, child.stderr]) stream?.destroy()
  child.unref()
  if (first === 'stopped') return stopped
  const outcome: Outcome =
    first === 'late' ? { kind: 'hung', afterMs: timeoutMs } : { kind: 'exited', exitCode: first }
  return { ok: true, outcome, endedAt, durationMs, output: tail.text() }
}

const stopped: NotRun = { ok: false, exitCode: exitCodes.SIGINT, text: '' }

/** Plus the signal number: a shell's exit code for a command that a signal ended. */
const signalBase = 128

/** The exit code of an ended command, as a shell reports it. */
export function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  return signal === null ? (code ?? exitCodes.fine) : signalBase + constants.signals[signal]
}

async function start(
  command: readonly string[],
  env: Environment,
): Promise<{ readonly child: ChildProcess; readonly pid: number } | NotRun> {
  const [program = '', ...args] = command
  try {
    // On Windows, `detached` would open a window.
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env, detached: hasGroups })
    if (child.pid === undefined) throw (await once(child, 'error'))[0]
    child.on('error', () => {})
    return { child, pid: child.pid }
  } catch (error) {
    if (!isSpawnError(error)) throw error
    return { ok: false, ...explainSpawnError(error, program) }
  }
}

/** The exit code, or what came before the end of the command. */
function firstOf(
  ended: Promise<number>,
  timeoutMs: number,
  stop: AbortSignal | undefined,
): Promise<number | 'late' | 'stopped'> {
  return new Promise(resolve => {
    const timer = setTimeout(() => finish('late'), timeoutMs)
    const onStop = () => finish('stopped')
    const finish = (how: number | 'late' | 'stopped') => {
      clearTimeout(timer)
      stop?.removeEventListener('abort', onStop)
      resolve(how)
    }
    stop?.addEventListener('abort', onStop)
    if (stop?.aborted === true) onStop()
    ended.then(finish)
  })
}

function after(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms).unref())
}
