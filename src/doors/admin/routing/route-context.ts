import type { z } from 'zod'
import type { JsonValue } from '../../../base/json/value.ts'
import type { Change } from '../../../control/change/change.ts'
import type { Emulator } from '../../../emulator/emulator.ts'
import type { Call } from '../../../service/call/call.ts'
import { readJsonBody } from '../../../service/call/json-body.ts'
import { readQuery } from '../../../service/call/query.ts'
import { maxAdminBody } from './address.ts'
import { checkRequest } from './check-request.ts'
import { asSentence, refusal, refusalOf } from './replies.ts'
import type { Waiting } from './waiting.ts'

/** What every route works on. */
export interface Controls {
  readonly emulator: Emulator
  readonly change: Change
  /** Of pet-mock. */
  readonly version: string
}

/** A call that has found its route. */
export interface RouteContext {
  readonly controls: Controls
  readonly call: Call
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>
  /** As sent, without `?`. */
  readonly query: string
  /** Scheme and authority of this server, as the caller reaches it. */
  readonly origin: string
  /** The door's time: milliseconds since the epoch. */
  readonly now: number
  readonly waiting: Waiting
}

interface Schemas<P, Q, B> {
  readonly params: z.ZodType<P>
  readonly query: z.ZodType<Q>
  /** Undefined: the route ignores bodies. */
  readonly body: z.ZodType<B> | undefined
}

type RequestReading<P, Q, B> =
  | { readonly params: P; readonly query: Q; readonly body: B | undefined }
  | { readonly refusal: Response }

/** Reads a call by the schemas of its route, or refuses it with every mistake. */
export function readRequest<P, Q, B>(
  { call, params, query }: Pick<RouteContext, 'call' | 'params' | 'query'>,
  schemas: Schemas<P, Q, B>,
): RequestReading<P, Q, B> {
  const sent = readBody(call)
  if ('refusal' in sent) return { refusal: refusalOf(sent.refusal) }
  const queryReading = checkRequest(schemas.query, queryValue(query))
  const paramsReading = checkRequest(schemas.params, params)
  const body =
    schemas.body === undefined
      ? ({ ok: true, value: undefined } as const)
      : checkRequest(schemas.body, sent.value ?? {})
  if (queryReading.ok && paramsReading.ok && body.ok)
    return { params: paramsReading.value, query: queryReading.value, body: body.value }
  const problems = [queryReading, paramsReading, body].flatMap(reading =>
    reading.ok ? [] : reading.problems,
  )
  const isCommandFine = schemas.body === undefined || (paramsReading.ok && body.ok)
  const code = isCommandFine ? 'invalid_parameter' : 'invalid_command'
  return { refusal: refusal(code, asSentence(problems.join('; '))) }
}

/** A missing or empty body is fine: `curl -X POST …/reset` sends none. */
function readBody(call: Call): ReturnType<typeof readJsonBody> | { readonly value: undefined } {
  const { body } = call
  if (body === undefined || body.length === 0) return { value: undefined }
  return readJsonBody(call, maxAdminBody)
}

/** A repeated parameter becomes a list, and one that cannot be decoded becomes null. No parameter accepts either. */
function queryValue(query: string): JsonValue {
  const values = new Map<string, JsonValue[]>()
  for (const { name, value } of readQuery(query))
    values.set(name, [...(values.get(name) ?? []), value ?? null])
  return Object.fromEntries(
    Array.from(values, ([name, all]) => [name, all.length === 1 ? (all[0] ?? null) : all]),
  )
}
