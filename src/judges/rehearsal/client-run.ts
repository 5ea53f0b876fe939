import type { ConductReport } from '../conduct/conduct-report.ts'
import type { LoggedCall, RunFacts } from './run-log.ts'

/** How the command of a run ended. Hung: it did not end in time, so it was ended. */
export type CommandEnd =
  /** 128 plus the number of the signal for a command that a signal ended, as shells say it. */
  { readonly kind: 'exited'; readonly exitCode: number } | { readonly kind: 'hung'; readonly afterMs: number }

export interface ClientRun {
  readonly outcome: CommandEnd
  /** How each instance of the command ended, if several ran at once: `outcome` is the worst. */
  readonly instances?: readonly CommandEnd[] | undefined
  /** The run of one instance alone, to which the run of several is compared. */
  readonly alone?: ClientRun | undefined
  /** Real time, from the start of the command to its end. */
  readonly durationMs: number
  /** The end of what it wrote to stdout and stderr, in the order of arrival, with the keys masked and without escape codes. */
  readonly output: string
  readonly facts: RunFacts
  readonly conduct: ConductReport
  readonly calls: readonly LoggedCall[]
  /** Why the client did not meet the situation, as a clause; undefined: it did. */
  readonly unmet: string | undefined
}
