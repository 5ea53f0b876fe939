import type { Int64, JsonObject } from '../../base/json/value.ts'
import type { Answer } from '../../service/call/answer.ts'
import type { AreaSource, Stability } from '../journal/exchange.ts'
import type { Visit } from './call-context.ts'

/**
 * What a user's contract adds to the operations that are emulated (design, "Open areas"). How it is answered is the
 * business of whoever opens them; the gates before it are those of every call.
 */
export interface OpenAreas {
  /** As people write them: `/v1/toys/{toyId}`. */
  readonly paths: readonly string[]
  /** Of all of them together, in upper case. */
  readonly methods: readonly string[]
  /** `method` is in upper case, and GET for HEAD. */
  find(path: string, method: string): AreaOperation | undefined
  /** What is possible at a path, in upper case. */
  methodsAt(path: string): readonly string[]
}

export interface AreaOperation {
  /** The contract's `operationId`, or method and path. */
  readonly id: string
  readonly source: AreaSource
  readonly stability: Stability | undefined
  /** Only here an answer may be a promise. Whatever it changes is in `visit.world`. */
  answer(visit: Visit): Answer | Promise<Answer>
}

/** The records of a collection, in the order in which they came. */
export interface Records {
  /** The number that the next record's id is made from. */
  readonly nextId: Int64
  all(): readonly JsonObject[]
}
