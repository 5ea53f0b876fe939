import type { JsonValue } from '../../base/json/value.ts'
import { peekJsonBody } from '../../service/call/json-body.ts'
import { type QueryPair, readQuery } from '../../service/call/query.ts'
import type { Key } from '../../service/keys/key.ts'
import type { OperationId } from '../journal/exchange.ts'
import type { Facts } from '../rules/match.ts'
import type { Visit } from '../worlds/call-context.ts'
import { operationAt } from '../worlds/routes.ts'

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
