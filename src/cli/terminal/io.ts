import type { Environment } from '../arguments/read-flags.ts'

/** A stream that text is written to; a terminal has a width and perhaps colours. */
export interface TextStream {
  readonly columns?: number
  readonly writableLength: number
  /** Node's answer heeds NO_COLOR and FORCE_COLOR. */
  readonly hasColors?: () => boolean
  readonly write: (text: string, done?: () => void) => boolean
  readonly on: (event: 'error', listener: (error: Error) => void) => unknown
}

/** What a command may touch of the process that it runs in. */
export interface Io {
  readonly env: Environment
  readonly pid: number
  readonly stdout: TextStream
  readonly stderr: TextStream
  /** Calls back each time that the process gets one of these signals, which then do nothing by themselves. */
  readonly onSignal: <S extends Signal>(signals: readonly S[], callback: (signal: S) => void) => void
  /** Whether who sends this signal sends it to every process of this terminal: a Ctrl+C that is typed. */
  readonly isSentToAll: (signal: Signal) => boolean
  /** Whether a person sits at a terminal, types there and reads there. */
  readonly isInteractive: () => boolean
  /** Ends the process at once, whatever is under way. */
  readonly exit: (code: number) => void
}

export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** The codes that the command ends with, a part of its interface. */
export const exitCodes = {
  fine: 0,
  findings: 1,
  /** A running server said no. */
  refused: 1,
  wrongUsage: 2,
  cannotStart: 3,
  /** A running server is not to be found. */
  unreachable: 3,
  SIGINT: 130,
  SIGTERM: 143,
} as const
