import type { Command } from '../../control/change/command.ts'
import type { RuleFields, ScenarioFile } from '../../control/scenario/file.ts'
import type { Failure } from '../../service/call/fault.ts'

/** A call as a story makes it. */
export interface WalkthroughCall {
  readonly method: string
  /** `/v1` included. */
  readonly target: string
  /** Names and values in turn; Host is for the stage to say. */
  readonly headers: readonly string[]
  readonly body: string | undefined
}

/** What a client has in its hands after a call. */
export type Answer = WholeAnswer | { readonly fails: Failure }

export interface WholeAnswer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Whether something could be done; `impossible` ends the story, since what follows builds on it. */
export type Done = { readonly ok: true } | Impossible

export interface Impossible {
  readonly ok: false
  readonly impossible: string
}

/** Where a story is acted out: in process, or against a server. */
export interface WalkthroughTarget {
  readonly call: (call: WalkthroughCall) => Answer | Impossible | Promise<Answer | Impossible>
  /** Lets time pass, in milliseconds. */
  readonly advance: (ms: number) => Done | Promise<Done>
  readonly change: (command: Command<ScenarioFile, RuleFields>) => Done | Promise<Done>
  /** Why the value of a header, by its lower-case name, cannot be judged here; undefined when it can. */
  readonly cannotJudge: (header: string) => string | undefined
}
