import type { Command } from '../../control/scenario/file.ts'
import type { Failure } from '../../service/call/fault.ts'

export interface WalkthroughCall {
  readonly method: string
  /** With `/v1`. */
  readonly target: string
  /** Names and values alternate. The target adds Host. */
  readonly headers: readonly string[]
  readonly body: string | undefined
}

export type PlayedAnswer = WholeAnswer | { readonly fails: Failure }

export interface WholeAnswer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export type Done = { readonly ok: true } | Impossible

/** Ends the walkthrough, unless it `goesOn`: then only this step is missing, and steps that depend on it differ. */
export interface Impossible {
  readonly ok: false
  readonly impossible: string
  readonly goesOn?: true
}

/** What a walkthrough is played against: an emulator in process, or a server. */
export interface WalkthroughTarget {
  readonly call: (call: WalkthroughCall) => PlayedAnswer | Impossible | Promise<PlayedAnswer | Impossible>
  readonly advance: (ms: number) => Done | Promise<Done>
  readonly change: (command: Command) => Done | Promise<Done>
  /** Why the value of a header, by its lower-case name, cannot be compared here; undefined if it can. */
  readonly cannotJudge: (header: string) => string | undefined
}
