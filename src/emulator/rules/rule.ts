import { draw } from '../../base/random/random.ts'
import type { Fault } from '../../service/call/fault.ts'
import type { OperationId } from '../../service/operations/operations.ts'

/** A settled rule, as a plain value that survives JSON: bodies are texts. */
export interface Rule {
  readonly name: string
  readonly match: Match
  readonly when: When
  readonly effect: Effect
  /** Declared with `on: false`: it matches no call until it is switched on. */
  readonly off?: true | undefined
  /** How often it may act, over all keys. */
  readonly times?: number | undefined
  /** How long it lives, in milliseconds from the start of its time. */
  readonly ttlMs?: number | undefined
}

/** The calls that a rule matches: every given condition must hold. */
export interface Match {
  readonly operation?: OperationId | undefined
  /** `GET` also matches HEAD (A18). */
  readonly method?: string | undefined
  /** See `compilePath`. */
  readonly path?: string | undefined
  /** The key without its sandbox; `*` matches any characters. */
  readonly key?: string | undefined
  readonly plan?: string | undefined
  /** Required parameters; `*` matches any characters of a value. */
  readonly query?: Readonly<Record<string, string>> | undefined
  /** JSON that the call's body must contain. */
  readonly body?: string | undefined
}

/** On which of the matching calls a rule acts: every given condition must hold. Each key's calls count from 1. */
export interface When {
  readonly first?: number | undefined
  readonly every?: number | undefined
  readonly afterCalls?: number | undefined
  /** Milliseconds from the start of the rule's time, as in `between`. */
  readonly afterMs?: number | undefined
  /** The first instant, and the end, which is excluded. */
  readonly between?: readonly [fromMs: number, toMs: number] | undefined
  /** Above 0, up to 1. */
  readonly probability?: number | undefined
}

/** What a rule does. A delay alone lets the search go on. A fault breaks the rule's answer, or else the API's. */
export interface Effect {
  readonly delay?: Delay | undefined
  readonly answer?: InjectedAnswer | undefined
  readonly fault?: Fault | undefined
  readonly direction?: Direction | undefined
}

/**
 * Where a rule acts: before the call is carried out, instead of it, or after it. Default: an answer on the request, a delay
 * or a fault alone on the response.
 */
export type Direction = 'request' | 'response'

/** In milliseconds of real time. */
export type Delay =
  | { readonly kind: 'fixed'; readonly ms: number }
  | { readonly kind: 'uniform'; readonly fromMs: number; readonly toMs: number }
  | { readonly kind: 'lognormal'; readonly medianMs: number; readonly p99Ms: number }

export interface InjectedAnswer {
  readonly status: number
  /** Of the Error shape; a custom body has none. */
  readonly code?: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Code and body are the service's for this status and the call: `code` is absent and `body` empty. */
  readonly isServices?: boolean | undefined
  /** The message of a service's error. Absent: the usual one. */
  readonly message?: string | undefined
}

/** The code of injected errors with a status that the service does not have. */
export const injectedFault = 'injected_fault'

export function endsSearch({ effect }: Rule): boolean {
  return effect.answer !== undefined || effect.fault !== undefined
}

/**
 * Whether a rule acts on the n-th matching call (from 1) of a key. `elapsedMs`: since the start of the rule's time. The
 * draw depends on n and on the seed of rule and key, not on other keys.
 */
export function holds(when: When, n: number, elapsedMs: number, seed: number): boolean {
  const { first, every, afterCalls, afterMs, between, probability } = when
  return (
    (first === undefined || n <= first) &&
    (every === undefined || n % every === 0) &&
    (afterCalls === undefined || n > afterCalls) &&
    (afterMs === undefined || elapsedMs >= afterMs) &&
    (between === undefined || (elapsedMs >= between[0] && elapsedMs < between[1])) &&
    (probability === undefined || draw(seed, n) < probability)
  )
}

/** The first call that `first`, `every` and `after` allow; undefined if they allow none. */
export function firstCall({ first, every = 1, afterCalls = 0 }: When): number | undefined {
  const call = every * (Math.floor(afterCalls / every) + 1)
  return first === undefined || call <= first ? call : undefined
}
