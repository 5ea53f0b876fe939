import type { Io } from '../terminal/io.ts'
import type { Flags } from './flag.ts'
import type { Given } from './read-flags.ts'

/** One command: each has a file of its own, and commands.ts lists them. */
export interface Command {
  readonly name: string
  /** Runs when no command, or none of its group, is named. */
  readonly isDefault?: boolean
  /** What stands in --help for the words that may follow its name; without it, none may. */
  readonly words?: string
  /** Its words are a command to run, and stand behind `--`. */
  readonly runsAnother?: boolean
  readonly about: string
  readonly flags: Flags
  readonly examples: readonly (readonly [line: string, about: string])[]
  /** Paragraphs at the end of its --help. */
  readonly notes: readonly string[]
  /**
   * Resolves with the exit code when all is done. `complaints` are about the command line itself; a command that
   * finds more tells them together.
   */
  readonly run: (
    given: Given,
    complaints: readonly string[],
    io: Io,
    words: readonly string[],
  ) => Promise<number>
}

/** Commands that share a first word: `scenarios list`, `scenarios play`. */
export interface CommandGroup {
  readonly name: string
  readonly about: string
  readonly commands: readonly Command[]
}
