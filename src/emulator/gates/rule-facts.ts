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
  readonly method: string
  readonly target: string
  readonly key: string
  readonly plan: string
  readonly #context: CallContext
  #body: { readonly json: JsonValue | undefined } | undefined

  constructor(context: CallContext, { text, plan }: Key) {
    this.method = context.call.method
    this.target = context.call.target
    this.key = text
    this.plan = plan
    this.#context = context
  }

  path(): string {
    return this.#context.target.path
  }

  operation(): OperationId | undefined {
    return operationAt(this.path(), this.method)
  }

  query(): readonly QueryPair[] {
    return readQuery(this.#context.target.query)
  }

  body(): JsonValue | undefined {
    this.#body ??= { json: peekJsonBody(this.#context.call) }
    return this.#body.json
  }
}
