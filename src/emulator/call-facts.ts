import { peekJsonBody } from '../call/json-body.ts'
import { type QueryPair, readQuery } from '../call/query.ts'
import type { OperationId } from '../journal/exchange.ts'
import type { JsonValue } from '../json/value.ts'
import type { Key } from '../keys/key.ts'
import type { Facts } from '../rules/match.ts'
import { operationAt } from './routes.ts'
import type { Visit } from './visit.ts'

/** A call as rules look at it. */
export class CallFacts implements Facts {
  readonly #visit: Visit
  readonly #key: Key
  #query: readonly QueryPair[] | undefined
  #body: { readonly json: JsonValue | undefined } | undefined

  constructor(visit: Visit, key: Key) {
    this.#visit = visit
    this.#key = key
  }

  get method(): string {
    return this.#visit.call.method
  }

  get target(): string {
    return this.#visit.call.target
  }

  get key(): string {
    return this.#key.text
  }

  get plan(): string {
    return this.#key.plan
  }

  path(): string {
    return this.#visit.target.path
  }

  operation(): OperationId | undefined {
    return operationAt(this.path(), this.method)
  }

  query(): readonly QueryPair[] {
    this.#query ??= readQuery(this.#visit.target.query)
    return this.#query
  }

  body(): JsonValue | undefined {
    this.#body ??= { json: peekJsonBody(this.#visit.call) }
    return this.#body.json
  }
}
