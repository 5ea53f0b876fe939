import type { JsonValue } from '../../../base/json/value.ts'
import { writeJson } from '../../../base/json/write.ts'
import { type CallToCopy, ownKey, ownToken } from '../../copy/call.ts'
import { exampleOf } from '../../openapi/example.ts'
import type { ApiDocument, Operation } from '../../openapi/operation.ts'
import { showValue } from '../../openapi/schema.ts'

export interface ExampleOptions {
  readonly origin: string
  readonly isAdmin: boolean
  /** Whether the admin plane wants a token. */
  readonly hasToken: boolean
}

/** A call of an operation with the examples of the description: what is required, and nothing more. */
export function exampleCall(
  { root }: ApiDocument,
  { method, path, parameters, body }: Operation,
  { origin, isAdmin, hasToken }: ExampleOptions,
): CallToCopy {
  const required = parameters.filter(({ isRequired }) => isRequired)
  const at = (place: string) =>
    required.flatMap(one =>
      one.place === place && one.example !== undefined ? [{ ...one, text: showValue(one.example) }] : [],
    )
  const filled = at('path').reduce(
    (text, { name, text: value }) => text.replaceAll(`{${name}}`, () => encodeURIComponent(value)),
    path,
  )
  const query = at('query').map(({ name, text }) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`)
  const content =
    body === undefined
      ? undefined
      : exampleBody(body.examples[0]?.value, () => exampleOf(root, body.schema, { isBrief: isAdmin }))
  return {
    origin,
    method,
    target: query.length === 0 ? filled : `${filled}?${query.join('&')}`,
    headers: body === undefined ? [] : [['Content-Type', body.type]],
    authorization: isAdmin ? (hasToken ? `Bearer ${ownToken}` : undefined) : `Bearer ${ownKey}`,
    body: content ?? null,
    cutFrom: null,
  }
}

function exampleBody(given: JsonValue | undefined, make: () => JsonValue): string {
  return writeJson(given ?? make())
}
