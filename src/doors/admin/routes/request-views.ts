import { jsonIn } from '../../../base/json/read.ts'
import type { JsonValue } from '../../../base/json/value.ts'
import { anyText, type Constraint, texts } from '../../../base/text/constraint.ts'
import { durationPattern, parseDuration } from '../../../base/time/duration.ts'
import { instantPattern, parseInstant } from '../../../base/time/instant.ts'
import { gates } from '../../../emulator/journal/exchange.ts'
import type { Explanation } from '../../../judges/inspection/explain.ts'
import type { RequestView } from '../../../judges/inspection/view.ts'
import { faults } from '../../../service/call/fault.ts'
import { windowNames } from '../../../service/limits/limiter.ts'
import { operationIds } from '../../../service/operations/operations.ts'
import { choiceField, flagField, numbersOrDigits, optional, textField } from '../routing/request-fields.ts'
import * as view from '../routing/views.ts'

const requestId = (description: string) => ({ ...view.of('integer', description, 17), minimum: 1 })

const windowView = view.named('RequestWindow', {
  limit: view.count('The quota of the window.'),
  used: view.count('Requests in the window, this one included if it was accepted.'),
  remaining: view.count('Requests left after this one.'),
  opensAt: view.orNull(view.instant('When the window opened.')),
  resetsAt: view.orNull(view.instant('When the window resets.')),
  openedBy: view.orNull(requestId('The request that opened the window.')),
})

const messageView = view.named('Message', {
  headers: {
    ...view.of('object', 'By lower-case name. A repeated header has a list.'),
    additionalProperties: { anyOf: [view.anyText, view.list(view.anyText)] },
  },
  body: view.orNull(view.text('As text; null if there is none.')),
  cutFrom: view.orNull(view.count('Bytes of the whole body, if only its first 16 KiB are kept.')),
})

const breachView = view.named('Breach', {
  side: view.choice(['request', 'response']),
  part: view.text('For example body, header or status.'),
  place: view.text('Path in that part; empty for the whole part.'),
  message: view.anyText,
})

const limitView = {
  ...view.object({
    accepted: view.of('boolean'),
    reported: view.choice(windowNames, 'The window that the headers describe.'),
    minute: windowView,
    day: windowView,
  }),
  description: 'Both windows after the request; null if the request is not counted.',
}

const messageFields = { request: messageView, response: messageView }

const requestFields = {
  id: requestId('Grows by one with each request of a sandbox, even after a reset.'),
  sandbox: view.anyText,
  at: view.instant('Time on the emulator’s clock.'),
  receivedAt: view.instant('Real time.'),
  method: view.anyText,
  target: view.text('Path and query, as sent.'),
  path: view.anyText,
  status: view.of('integer', 'Status of the response.'),
  code: view.orNull(view.text('Code of the error.')),
  operation: view.orNull(
    view.text('The operation that the request is for, even if it was refused before.', 'listPets'),
  ),
  stability: view.orNull(view.choice(['experimental', 'beta'], 'Stability of the operation.')),
  key: view.orNull(view.text('Masked, except with keys=shown.')),
  plan: view.orNull(view.anyText),
  gate: view.choice(gates, 'The gate that decided.'),
  refused: view.flag('Whether a limit or a ban refused the request.'),
  synthetic: view.flag('Whether the response was injected.'),
  rules: view.list(view.anyText, 'The rules that acted on the request.'),
  events: view.list(view.anyText, 'The events of the scenario that happened before the request.'),
  delayMs: view.orNull(view.of('number', 'Delay of the response.')),
  fault: view.orNull(view.choice(faults, 'The injected fault.')),
  limit: view.orNull(limitView),
  durationMs: view.orNull(
    view.of(
      'number',
      'Real time from reading the request to handing over its response, with its delay. null: not measured, as before the first call to the plane.',
      0.214,
    ),
  ),
  breaches: view.list(breachView, 'Breaches of the contract; empty without --contract.'),
} satisfies Record<Exclude<keyof RequestView, keyof typeof messageFields>, view.JsonSchema>

const strikesView = view.object({
  count: view.count('Refused requests since the last accepted one, this one included.'),
  after: view.orNull(view.count('Number of refusals that leads to a ban.')),
  bannedUntil: view.orNull(view.instant('When the ban ends.')),
  bannedBy: view.orNull(requestId('The request that caused the ban, if the journal still has it.')),
})

const explanationFields = {
  sentences: view.list(view.anyText, 'The explanation as text.'),
  gate: view.choice(gates),
  mismatches: view.list(
    view.object({ what: view.anyText, asked: view.anyText, expected: view.anyText }),
    'The values that were sent, and the nearest valid ones.',
  ),
  ignored: view.list(
    view.object({
      what: view.choice(['query parameter', 'field']),
      name: view.anyText,
      meant: view.orNull(view.anyText),
    }),
    'Parts of the request that the server ignored.',
  ),
  strikes: view.orNull(strikesView),
} satisfies Record<keyof Explanation, view.JsonSchema>

export const explainedRequest = view.named('ExplainedRequest', {
  ...requestFields,
  ...messageFields,
  explanation: view.object(explanationFields),
})

export const requestList = view.named('Requests', {
  requests: view.list(
    view.named('Request', requestFields, messageFields),
    'The newest last. With view=rows, without request and response.',
  ),
  meta: view.object({
    total: view.count('Matching requests, regardless of the limit.'),
    kept: view.count('Requests in the journal.'),
    capacity: view.count('Most requests that a journal keeps.'),
    evicted: view.count('Requests that the journal dropped to make room.'),
  }),
})

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

const anyId = numbersOrDigits('the id of a request', 0, Number.MAX_SAFE_INTEGER)

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
  status: optional(statuses, String, 'The status of the response, or a class of statuses.', 429, '4xx'),
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
  after: optional(anyId, Number, 'Only requests with a greater id.', 17),
  before: optional(anyId, Number, 'Only requests with a smaller id.', 17),
  body: optional(bodyParts, readPart, "A part of the call's JSON body. In a query, as text.", {
    name: 'Rex',
  }),
  synthetic: flagField('Whether a rule or a Prefer header injected the response.'),
  refused: flagField('Whether a limit or a ban refused the call.'),
  breaking: flagField('Whether the call breaks the contract, as --contract found.'),
}

export const listView = choiceField(
  ['whole', 'rows'],
  'Whether requests have headers and bodies: `rows` have none. Default: whole.',
)

/** A text is parsed as JSON, since a query can send nothing else. */
function readPart(value: unknown): JsonValue | undefined {
  return typeof value === 'string' ? jsonIn(value) : (value as JsonValue | undefined)
}
