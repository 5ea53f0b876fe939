import * as z from 'zod'
import { readJson } from '../../../base/json/read.ts'
import type { JsonValue } from '../../../base/json/value.ts'
import { texts } from '../../../base/text/constraint.ts'
import { durationPattern, parseDuration } from '../../../base/time/duration.ts'
import { instantPattern, parseInstant } from '../../../base/time/instant.ts'
import { operationIds } from '../../../service/operations/operations.ts'
import { numberText, optional, patternText } from '../routing/shapes.ts'

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
  operation: optional(
    z.enum(operationIds),
    'The operation that the call is for, even if it was refused before.',
  ),
  method: optional(
    patternText(texts('a method in capitals, such as GET', /^[A-Z]+$/)),
    "The call's method. GET includes HEAD.",
    'POST',
  ),
  path: optional(
    patternText(texts('a whole path, such as /v1/pets/{petId}', /^\//)),
    "The call's path, with /v1. A name in braces matches one segment, * any characters of a segment.",
    '/v1/pets/{petId}',
  ),
  status: optional(
    z.union([z.int().min(100).max(599), patternText(texts(status, /^([1-5][0-9]{2}|[1-5][xX]{2})$/))], {
      error: status,
    }),
    'The status of the answer, or a class of statuses.',
    429,
    '4xx',
  ),
  code: optional(z.string(), 'The code of the error.', 'pet_not_found'),
  key: optional(
    z.string(),
    'The API key, with or without its sandbox. * matches any characters.',
    'demo-free',
    'demo-*',
  ),
  plan: optional(z.string(), "The key's plan.", 'free'),
  rule: optional(z.string(), 'A rule that acted on the call. * matches any characters.', 'outage'),
  since: optional(
    z
      .custom<string>(value => typeof value === 'string' && isInstantOrDuration(value), { error: since })
      .meta({ type: 'string', anyOf: [{ pattern: instantPattern }, { pattern: durationPattern }] }),
    'Only requests since an instant, or within a duration until now, on the emulator’s clock.',
    '30s',
    '2026-03-02T09:00:00Z',
  ),
  after: optional(
    numberText('the id of a request', 0, Number.MAX_SAFE_INTEGER),
    'Only requests with a greater id.',
    17,
  ),
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

function isInstantOrDuration(text: string): boolean {
  return parseInstant(text) !== undefined || parseDuration(text) !== undefined
}

/** A text is parsed as JSON, since a query can send nothing else. */
function readPart(value: unknown): JsonValue | undefined {
  if (typeof value !== 'string') return value as JsonValue | undefined
  const read = readJson(value)
  return 'value' in read ? read.value : undefined
}
