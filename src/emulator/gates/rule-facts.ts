import type { JsonValue } from '../../base/json/value.ts'
import { peekJsonBody } from '../../service/call/json-body.ts'
import { type QueryPair, readQuery } from '../../service/call/query.ts'
import type { Key } from '../../service/keys/key.ts'
import type { OperationId } from '../../service/operations/operations.ts'
import { operationAt } from '../../service/operations/routes.ts'
import type { Facts } from '../rules/match.ts'
import type { CallContext } from './call-context.ts'

/** A call as rules see it. */
export class CallFacts implements Facts {
  readonly #context: CallContext
  readonly #key: Key
  #query: readonly QueryPair[] | undefined
  #body: { readonly json: JsonValue | undefined } | undefined

  constructor(context: CallContext, key: Key) {
    this.#context = context
    this.#key = key
  }

  get method(): string {
    return this.#context.call.method
  }

  get target(): string {
    return this.#context.call.target
  }

  get key(): string {
    return this.#key.text
  }

  get plan(): string {
    return this.#key.plan
  }

  path(): string {
    return this.#context.target.path
  }

  operation(): OperationId | undefined {
    return operationAt(this.path(), this.method)
  }

  query(): readonly QueryPair[] {
    this.#query ??= readQuery(this.#context.target.query)
    return this.#query
  }

  body(): JsonValue | undefined {
    this.#body ??= { json: peekJsonBody(this.#context.call) }
    return this.#body.json
  }
}
