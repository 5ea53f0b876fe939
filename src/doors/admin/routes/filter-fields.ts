import { readJson } from '../../../base/json/read.ts'
import type { JsonValue } from '../../../base/json/value.ts'
import { anyText, type Constraint, texts } from '../../../base/text/constraint.ts'
import { durationPattern, parseDuration } from '../../../base/time/duration.ts'
import { instantPattern, parseInstant } from '../../../base/time/instant.ts'
import { operationIds } from '../../../service/operations/operations.ts'
import { choiceField, flagField, numbersOrDigits, optional, textField } from '../routing/request-fields.ts'

const statuses: Constraint = {
  type: 'choice',
  expected: 'a status such as 429, or a class such as 4xx',
  // A map has no text, and that of a list is not the list.
  accepts: value => typeof value !== 'object' && /^(?:[1-5][0-9]{2}|[1-5][xX]{2})$/.test(`${value}`),
  schema: { type: ['integer', 'string'], pattern: '^([1-5][0-9]{2}|[1-5][xX]{2})$' },
}

const starts: Constraint = {
  type: 'instant',
  expected: 'an instant such as 2026-03-02T09:00:00Z, or a duration such as 30s',
  accepts: value =>
    typeof value === 'string' && (parseInstant(value) !== undefined || parseDuration(value) !== undefined),
  schema: { type: 'string', anyOf: [{ pattern: instantPattern }, { pattern: durationPattern }] },
}

const bodyParts: Constraint = {
  type: 'choice',
  expected: 'JSON, such as {"name":"Rex"}',
  accepts: value => readPart(value) !== undefined,
  schema: {},
}

/** The fields of a filter, in a query or a JSON body. */
export const filterFields = {
  operation: choiceField(operationIds, 'The operation that the call is for, even if it was refused before.'),
  method: textField(
    texts('a method in capitals, such as GET', /^[A-Z]+$/),
    "The call's method. GET includes HEAD.",
    'POST',
  ),
  path: textField(
    texts('a whole path, such as /v1/pets/{petId}', /^\//),
    "The call's path, with /v1. A name in braces matches one segment, * any characters of a segment.",
    '/v1/pets/{petId}',
  ),
  status: optional(statuses, String, 'The status of the answer, or a class of statuses.', 429, '4xx'),
  code: textField(anyText, 'The code of the error.', 'pet_not_found'),
  key: textField(
    anyText,
    'The API key, with or without its sandbox. * matches any characters.',
    'demo-free',
    'demo-*',
  ),
  plan: textField(anyText, "The key's plan.", 'free'),
  rule: textField(anyText, 'A rule that acted on the call. * matches any characters.', 'outage'),
  since: textField(
    starts,
    'Only requests since an instant, or within a duration until now, on the emulator’s clock.',
    '30s',
    '2026-03-02T09:00:00Z',
  ),
  after: optional(
    numbersOrDigits('the id of a request', 0, Number.MAX_SAFE_INTEGER),
    Number,
    'Only requests with a greater id.',
    17,
  ),
  before: optional(
    numbersOrDigits('the id of a request', 0, Number.MAX_SAFE_INTEGER),
    Number,
    'Only requests with a smaller id.',
    17,
  ),
  body: optional(bodyParts, readPart, "A part of the call's JSON body. In a query, as text.", {
    name: 'Rex',
  }),
  synthetic: flagField('Whether a rule or a Prefer header injected the answer.'),
  refused: flagField('Whether a limit or a ban refused the call.'),
  breaking: flagField('Whether the call breaks the contract, as --contract found.'),
}

export const listView = choiceField(
  ['whole', 'rows'],
  'Whether requests have headers and bodies: `rows` have none. Default: whole.',
)

/** A text is parsed as JSON, since a query can send nothing else. */
function readPart(value: unknown): JsonValue | undefined {
  if (typeof value !== 'string') return value as JsonValue | undefined
  const read = readJson(value)
  return 'value' in read ? read.value : undefined
}
