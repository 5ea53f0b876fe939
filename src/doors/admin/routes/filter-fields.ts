import * as z from 'zod'
import { readJson } from '../../../base/json/read.ts'
import type { JsonValue } from '../../../base/json/value.ts'
import { texts } from '../../../base/text/constraint.ts'
import { durationPattern, parseDuration } from '../../../base/time/duration.ts'
import { instantPattern, parseInstant } from '../../../base/time/instant.ts'
import { text } from '../../../control/files/shapes.ts'
import { operationIds } from '../../../service/operations/operations.ts'
import { numberText } from '../routing/shapes.ts'

/* The fields of a filter, in a query or a JSON body. In a query every value is a text, so each field accepts one. */

function flag(description: string) {
  return z
    .union([z.boolean(), z.enum(['true', 'false'])], { error: 'true or false' })
    .meta({ description })
    .transform(value => value === true || value === 'true')
    .optional()
}

const status = 'a status such as 429, or a class such as 4xx'
const since = 'an instant such as 2026-03-02T09:00:00Z, or a duration such as 30s'

export const filterFields = {
  operation: z
    .enum(operationIds)
    .meta({ description: 'The operation that the call is for, even if it was refused before.' })
    .optional(),
  method: text(texts('a method in capitals, such as GET', /^[A-Z]+$/))
    .meta({ description: "The call's method. GET includes HEAD.", examples: ['POST'] })
    .optional(),
  path: text(texts('a whole path, such as /v1/pets/{petId}', /^\//))
    .meta({
      description:
        "The call's path, with /v1. A name in braces matches one segment, * any characters of a segment.",
      examples: ['/v1/pets/{petId}'],
    })
    .optional(),
  status: z
    .union([z.int().min(100).max(599), text(texts(status, /^([1-5][0-9]{2}|[1-5][xX]{2})$/))], {
      error: status,
    })
    .meta({ description: 'The status of the answer, or a class of statuses.', examples: [429, '4xx'] })
    .optional(),
  code: z
    .string()
    .meta({ description: 'The code of the error.', examples: ['pet_not_found'] })
    .optional(),
  key: z
    .string()
    .meta({
      description: 'The API key, with or without its sandbox. * matches any characters.',
      examples: ['demo-free', 'demo-*'],
    })
    .optional(),
  plan: z
    .string()
    .meta({ description: "The key's plan.", examples: ['free'] })
    .optional(),
  rule: z
    .string()
    .meta({
      description: 'A rule that acted on the call. * matches any characters.',
      examples: ['outage'],
    })
    .optional(),
  since: z
    .custom<string>(
      value =>
        typeof value === 'string' &&
        (parseInstant(value) !== undefined || parseDuration(value) !== undefined),
      { error: since },
    )
    .meta({
      type: 'string',
      anyOf: [{ pattern: instantPattern }, { pattern: durationPattern }],
      description: 'Only requests since an instant, or within a duration until now, on the emulator’s clock.',
      examples: ['30s', '2026-03-02T09:00:00Z'],
    })
    .optional(),
  after: numberText('the id of a request', 0, Number.MAX_SAFE_INTEGER)
    .meta({ description: 'Only requests with a greater id.', examples: [17] })
    .optional(),
  body: z
    .custom<JsonValue>(value => readPart(value) !== undefined, { error: 'JSON, such as {"name":"Rex"}' })
    .meta({
      description: "A part of the call's JSON body. In a query, as text.",
      examples: [{ name: 'Rex' }],
    })
    .transform(value => readPart(value) ?? null)
    .optional(),
  synthetic: flag('Whether a rule or a Prefer header injected the answer.'),
  refused: flag('Whether a limit or a ban refused the call.'),
}

/** A text is parsed as JSON, since a query can send nothing else. */
function readPart(value: unknown): JsonValue | undefined {
  if (typeof value !== 'string') return value as JsonValue | undefined
  const read = readJson(value)
  return 'value' in read ? read.value : undefined
}
