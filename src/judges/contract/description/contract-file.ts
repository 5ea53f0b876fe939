import type { JsonObject } from '../../../base/json/value.ts'
import type { Files, Spot } from './description-node.ts'

/** An OpenAPI description of the user's. */
export interface ContractFile {
  readonly path: string
  readonly root: Spot
  readonly value: JsonObject
  readonly files: Files
}
