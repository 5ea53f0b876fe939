import * as z from 'zod'
import { readJson } from '../../../base/json/read.ts'
import type { JsonValue } from '../../../base/json/value.ts'
import { texts } from '../../../base/text/constraint.ts'
import { durationPattern, parseDuration } from '../../../base/time/duration.ts'
import { instantPattern, parseInstant } from '../../../base/time/instant.ts'
import { text } from '../../../control/files/shapes.ts'
import { operationIds } from '../../../service/operations/operations.ts'
import { numberText } from '../routing/shapes.ts'

/*
 * The fields of a filter as a query string and a JSON body have them: in a query everything is text, so each field
 * takes the text of its value as well.
 */

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
    .meta({ description: 'The operation that the call was for, whether or not it got there.' })
    .optional(),
  method: text(texts('a method in capitals, such as GET', /^[A-Z]+$/))
    .meta({ description: "The call's method; GET stands for HEAD, too.", examples: ['POST'] })
    .optional(),
  path: text(texts('a whole path, such as /v1/pets/{petId}', /^\//))
    .meta({
      description:
        "The call's path with its /v1. A name in braces stands for one segment, * for any characters of one.",
      examples: ['/v1/pets/{petId}'],
    })
    .optional(),
  status: z
    .union([z.int().min(100).max(599), text(texts(status, /^([1-5][0-9]{2}|[1-5][xX]{2})$/))], {
      error: status,
    })
    .meta({ description: 'The status of the answer, or its class.', examples: [429, '4xx'] })
    .optional(),
  code: z
    .string()
    .meta({ description: 'The code of the error.', examples: ['pet_not_found'] })
    .optional(),
  key: z
    .string()
    .meta({
      description: 'The API key, without its sandbox or with it; * stands for any characters.',
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
      description: 'A rule that acted on the call; * stands for any characters.',
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
      description: 'From an instant on, or for a duration until now, on the emulator’s clock.',
      examples: ['30s', '2026-03-02T09:00:00Z'],
    })
    .optional(),
  after: numberText('the id of a request', 0, Number.MAX_SAFE_INTEGER)
    .meta({ description: 'Only requests with an id above this one.', examples: [17] })
    .optional(),
  body: z
    .custom<JsonValue>(value => readPart(value) !== undefined, { error: 'JSON, such as {"name":"Rex"}' })
    .meta({
      description: "What the call's JSON body holds at least; in a query, as text.",
      examples: [{ name: 'Rex' }],
    })
    .transform(value => readPart(value) ?? null)
    .optional(),
  synthetic: flag('Whether the answer was made up, by a rule or for a Prefer header.'),
  refused: flag('Whether the call was refused by a limit or a ban.'),
}

/** A text is JSON that is written out: in a query there is no other way. */
function readPart(value: unknown): JsonValue | undefined {
  if (typeof value !== 'string') return value as JsonValue | undefined
  const read = readJson(value)
  return 'value' in read ? read.value : undefined
}
