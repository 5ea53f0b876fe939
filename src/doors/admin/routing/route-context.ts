import type { z } from 'zod'
import type { JsonValue } from '../../../base/json/value.ts'
import { check } from '../../../control/files/check.ts'
import { documentOf } from '../../../control/files/document.ts'
import type { Call } from '../../../service/call/call.ts'
import { readJsonBody } from '../../../service/call/json-body.ts'
import { readQuery } from '../../../service/call/query.ts'
import { maxAdminBody } from './address.ts'
import { asSentence, refusal, refusalOf } from './replies.ts'
import type { Waiting } from './waiting.ts'

/** A call that has found its route. */
export interface Given {
  readonly call: Call
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>
  /** As sent, without `?`. */
  readonly query: string
  /** Where the caller reaches this server: scheme and authority. */
  readonly origin: string
  /** The door's time: milliseconds since the epoch. */
  readonly now: number
  readonly waiting: Waiting
}

interface Schemas<P, Q, B> {
  readonly params: z.ZodType<P>
  readonly query: z.ZodType<Q>
  readonly body: z.ZodType<B> | undefined
}

export type GivenReading<P, Q, B> =
  | { readonly params: P; readonly query: Q; readonly body: B | undefined }
  | { readonly refusal: Response }

/** Reads what a call says by the schemas of its route, or refuses it with everything that is wrong with it. */
export function readGiven<P, Q, B>(given: Given, schemas: Schemas<P, Q, B>): GivenReading<P, Q, B> {
  const sent = readBody(given.call)
  if ('refusal' in sent) return { refusal: refusalOf(sent.refusal) }
  const query = check(schemas.query, documentOf(queryValue(given.query)))
  const params = check(schemas.params, documentOf(given.params))
  const body = readBodyBy(schemas.body, sent.value)
  if (query.ok && params.ok && body.ok) return { params: params.value, query: query.value, body: body.value }
  const problems = [query, params, body].flatMap(reading =>
    reading.ok ? [] : reading.complaints.map(({ message }) => message),
  )
  const isAsking = schemas.body === undefined || (params.ok && body.ok)
  const code = isAsking ? 'invalid_parameter' : 'invalid_command'
  return { refusal: refusal(code, asSentence(problems.join('; '))) }
}

function readBodyBy<B>(schema: z.ZodType<B> | undefined, sent: JsonValue | undefined) {
  if (schema !== undefined) return check(schema, documentOf(sent ?? {}))
  return { ok: true, value: undefined } as const
}

/** No body, or an empty one, is fine: `curl -X POST …/reset` sends none. */
function readBody(call: Call): ReturnType<typeof readJsonBody> | { readonly value: undefined } {
  const { body } = call
  if (body === undefined || body.length === 0) return { value: undefined }
  return readJsonBody(call, maxAdminBody)
}

/** One given several times is a list, which no parameter expects; what cannot be decoded, nothing. */
function queryValue(query: string): JsonValue {
  const values = new Map<string, JsonValue[]>()
  for (const { name, value } of readQuery(query))
    values.set(name, [...(values.get(name) ?? []), value ?? null])
  return Object.fromEntries(
    Array.from(values, ([name, all]) => [name, all.length === 1 ? (all[0] ?? null) : all]),
  )
}
