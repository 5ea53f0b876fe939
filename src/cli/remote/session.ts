import type { Ask } from '../../library/client/ask-plane.ts'
import type { ServerValues } from '../arguments/server-flags.ts'
import type { Io } from '../terminal/io.ts'
import type { Paint } from '../terminal/paint.ts'

/** A remote command under way, and the server that it talks to. */
export interface Session<Values = unknown> {
  readonly values: ServerValues & Values
  readonly words: readonly string[]
  readonly io: Io
  readonly paint: Paint
  /** The URL of the admin plane. */
  readonly admin: string
  /** Calls an operation of the admin plane, for the sandbox of --sandbox unless the query names another. */
  readonly ask: Ask
  /** The same, without escaping the texts of the answer for a terminal. */
  readonly askAsIs: Ask
  /** Prints an answer: as JSON with --json, else as lines. */
  readonly print: <T>(answer: T, toLines: (answer: T) => readonly string[]) => void
}

/** What a remote command does. */
export interface Action<Values> {
  /** Returns mistakes in its words and flags. */
  readonly check?: ((words: readonly string[], values: Values) => readonly string[]) | undefined
  /** Resolves with the exit code if that is not 0. */
  readonly act: (session: Session<Values>) => Promise<void> | Promise<number>
}
