import type { Fault } from '../../service/call/fault.ts'
import type { OperationId } from '../../service/operations/operations.ts'

/** A rule with everything decided, as a plain value that JSON carries without loss: bodies are texts. */
export interface Rule {
  readonly name: string
  readonly match: Match
  readonly when: When
  readonly effect: Effect
  /** How often it acts, over all keys. */
  readonly times?: number | undefined
  /** How long it lives, in milliseconds from where its time begins. */
  readonly ttlMs?: number | undefined
}

/** The calls that a rule is about: all that is said must hold, and what is not said holds for any. */
export interface Match {
  readonly operation?: OperationId | undefined
  /** `GET` stands for HEAD, too (A18). */
  readonly method?: string | undefined
  /** See `compilePath`. */
  readonly path?: string | undefined
  /** With `*` for any characters; a key is meant without its sandbox. */
  readonly key?: string | undefined
  readonly plan?: string | undefined
  /** Parameters that must be there, with `*` for any characters of a value. */
  readonly query?: Readonly<Record<string, string>> | undefined
  /** JSON: what the call's body must hold at least. */
  readonly body?: string | undefined
}

/** Which of the calls that fit a rule acts on: all that is said must hold. Calls are counted for each key, from 1. */
export interface When {
  readonly first?: number | undefined
  readonly every?: number | undefined
  readonly afterCalls?: number | undefined
  /** Milliseconds from where the rule's time begins, as are those of `between`. */
  readonly afterMs?: number | undefined
  /** The first instant, and the first one after it. */
  readonly between?: readonly [fromMs: number, toMs: number] | undefined
  /** Above 0, up to 1. */
  readonly probability?: number | undefined
}

/**
 * What a rule does. A delay alone leaves the reply to others. A fault alone breaks the reply that the call gets
 * anyway; with an answer, it breaks that one.
 */
export interface Effect {
  readonly delay?: Delay | undefined
  readonly answer?: InjectedAnswer | undefined
  readonly fault?: Fault | undefined
}

/** In the client's time, whatever the clock does: milliseconds. */
export type Delay =
  | { readonly kind: 'fixed'; readonly ms: number }
  | { readonly kind: 'uniform'; readonly fromMs: number; readonly toMs: number }
  | { readonly kind: 'lognormal'; readonly medianMs: number; readonly p99Ms: number }

export interface InjectedAnswer {
  readonly status: number
  /** Of the Error shape; a body of one's own has none. */
  readonly code?: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The code of an error that a rule or a `Prefer` header asks for, unless the rule says another. */
export const injectedFault = 'injected_fault'

/** Whether the search for a rule that acts is over with this one. */
export function endsSearch({ effect }: Rule): boolean {
  return effect.answer !== undefined || effect.fault !== undefined
}
