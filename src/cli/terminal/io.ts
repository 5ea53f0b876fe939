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
  /** Ends the process immediately. */
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
  /** No running server was found. */
  unreachable: 3,
  SIGINT: 130,
  SIGTERM: 143,
  SIGHUP: 129,
} as const
