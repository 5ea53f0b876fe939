import type { JsonObject } from '../../base/json/value.ts'
import type { Answer } from '../../service/call/answer.ts'
import type { Area } from '../journal/exchange.ts'
import type { CallContext } from './call-context.ts'

/** The operations that a user's contract adds to the emulated ones. They pass the same gates as every call. */
export interface OpenAreas {
  /** As the contract writes them: `/v1/toys/{toyId}`. */
  readonly paths: readonly string[]
  readonly methods: readonly string[]
  /** `method` is in upper case, and GET for HEAD. */
  find(path: string, method: string): AreaOperation | undefined
  methodsAt(path: string): readonly string[]
  /** What the areas were loaded from. */
  readonly source?: AreasSource
  /** The contract as JSON, and its operations that are served, by path as written and method in lower case. */
  readonly description?: () => {
    readonly document: JsonObject
    readonly operations: readonly { readonly path: string; readonly method: string }[]
  }
}

export interface AreasSource {
  readonly file: string
  /** Globs of paths and tags; none: all operations. */
  readonly only: readonly string[]
  /** Of the file and those that it refers to. */
  readonly digest: string
  /** Their JSON by their paths. Absent: together they have over a million characters. */
  readonly files?: Readonly<Record<string, string>>
}

/** Answers calls for the contract itself, outside the API; undefined for all others. */
export type ServedContract = (
  context: CallContext,
  areas: OpenAreas | undefined,
) => Answer | Promise<Answer> | undefined

export interface AreaOperation extends Area {
  /** Only here may an answer be a promise. All that it changes is in `context.world`. */
  answer(context: CallContext): Answer | Promise<Answer>
}
