import { readFileSync, readlinkSync } from 'node:fs'
import { posix } from 'node:path'

export type Environment = Readonly<Record<string, string | undefined>>

/** An output stream. Only a terminal has columns. */
export interface TextStream {
  readonly columns?: number
  readonly writableLength: number
  /** Node's implementation respects NO_COLOR and FORCE_COLOR. */
  readonly hasColors?: () => boolean
  readonly write: (text: string, done?: () => void) => boolean
  readonly on: (event: 'error', listener: (error: Error) => void) => unknown
}

/** The parts of the process that a command may use. */
export interface Io {
  readonly env: Environment
  readonly pid: number
  readonly stdout: TextStream
  readonly stderr: TextStream
  /** Replaces the default action of these signals. Under nohup, SIGHUP stays ignored. */
  readonly onSignal: <S extends Signal>(signals: readonly S[], callback: (signal: S) => void) => void
  /** Whether the terminal sends this signal to its whole process group, as it does for Ctrl+C. */
  readonly isSentToAll: (signal: Signal) => boolean
  /** Whether input and output are a terminal. */
  readonly isInteractive: () => boolean
  readonly exit: (code: number) => void
}

export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** Exit codes are public: scripts depend on them. */
export const exitCodes = {
  fine: 0,
  findings: 1,
  /** A running server rejected the request. */
  refused: 1,
  /** Changes of the state could not be saved. */
  notSaved: 1,
  wrongUsage: 2,
  cannotStart: 3,
  unreachable: 3,
  /** The codes of shells for a command that did not run (POSIX, 2.8.2). */
  cannotBeRun: 126,
  notFound: 127,
  SIGINT: 130,
  SIGTERM: 143,
  SIGHUP: 129,
} as const

/** The word for standard input where a command takes a file. */
export const standardInput = '-'

/** Reads standard input. Longer input ends a chunk after `most` bytes: the caller sees that it is too long. */
export async function readStandardInput(most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of process.stdin) {
    chunks.push(chunk)
    length += chunk.length
    if (length > most) break
  }
  return Buffer.concat(chunks)
}

/**
 * Whether nohup started this process. Node itself makes a SIGHUP that its parent ignored end the process, so only other
 * traces of nohup are left: the shell puts the program that it starts in `_`, and on Linux, nohup replaces a terminal as
 * standard input by a file that cannot be read.
 */
export function ignoresHangup(env: Environment): boolean {
  if (posix.basename(env._ ?? '') === 'nohup') return true
  try {
    const [, mode] = /^flags:\s+\d*(\d)$/m.exec(readFileSync('/proc/self/fdinfo/0', 'utf8')) ?? []
    return Number(mode) % 4 === 1 && readlinkSync('/proc/self/fd/0') === '/dev/null'
  } catch {
    return false
  }
}
