import { gates } from '../../../emulator/journal/exchange.ts'
import type { Explanation } from '../../../judges/inspection/explain.ts'
import type { RequestView } from '../../../judges/inspection/view.ts'
import { faults } from '../../../service/call/fault.ts'
import { windowNames } from '../../../service/limits/limiter.ts'
import * as view from '../routing/views.ts'

const requestId = (description: string) => ({ ...view.of('integer', description, 17), minimum: 1 })

const windowView = view.named(
  'RequestWindow',
  view.object({
    limit: view.count('The quota of the window.'),
    used: view.count('Requests in the window, this one included if it was accepted.'),
    remaining: view.count('Requests left after this one.'),
    opensAt: view.orNull(view.instant('When the window opened.')),
    resetsAt: view.orNull(view.instant('When the window resets.')),
    openedBy: view.orNull(requestId('The request that opened the window.')),
  }),
)

const messageView = view.named(
  'Message',
  view.object({
    headers: {
      ...view.of('object', 'By lower-case name. A repeated header has a list.'),
      additionalProperties: { anyOf: [view.anyText, view.list(view.anyText)] },
    },
    body: view.orNull(view.text('As text; null if there is none.')),
    cutFrom: view.orNull(view.count('Bytes of the whole body, if only its first 16 KiB are kept.')),
  }),
)

const breachView = view.named(
  'Breach',
  view.object({
    side: view.choice(['request', 'response']),
    part: view.text('For example body, header or status.'),
    place: view.text('Path in that part; empty for the whole part.'),
    message: view.anyText,
  }),
)

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
  status: view.of('integer', 'Status of the answer.'),
  code: view.orNull(view.text('Code of the error.')),
  operation: view.orNull(
    view.text('The operation that the request is for, even if it was refused before.', 'listPets'),
  ),
  stability: view.orNull(view.choice(['experimental', 'beta'], 'Stability of the operation.')),
  key: view.orNull(view.text('Masked, except with keys=shown.')),
  plan: view.orNull(view.anyText),
  gate: view.choice(gates, 'The gate that decided.'),
  refused: view.flag('Whether a limit or a ban refused the request.'),
  synthetic: view.flag('Whether the answer was injected.'),
  rules: view.list(view.anyText, 'The rules that acted on the request.'),
  events: view.list(view.anyText, 'The events of the scenario that happened before the request.'),
  delayMs: view.orNull(view.of('number', 'Delay of the answer.')),
  fault: view.orNull(view.choice(faults, 'The injected fault.')),
  limit: view.orNull(limitView),
  durationMs: view.orNull(
    view.of(
      'number',
      'Real time from reading the request to handing over its answer, with its delay. null: not measured, as before the first call to the plane.',
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

export const explainedRequest = view.named(
  'ExplainedRequest',
  view.object({ ...requestFields, ...messageFields, explanation: view.object(explanationFields) }),
)

export const requestList = view.named(
  'Requests',
  view.object({
    requests: view.list(
      view.named('Request', view.object(requestFields, messageFields)),
      'The newest first. With view=rows, without request and response.',
    ),
    meta: view.object({
      total: view.count('Matching requests, regardless of the limit.'),
      kept: view.count('Requests in the journal.'),
      capacity: view.count('Most requests that a journal keeps.'),
      evicted: view.count('Requests that the journal dropped to make room.'),
    }),
  }),
)
