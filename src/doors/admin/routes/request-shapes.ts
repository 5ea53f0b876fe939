import * as z from 'zod'
import { gates } from '../../../emulator/journal/exchange.ts'
import type { Explanation } from '../../../judges/inspection/explain.ts'
import type { RequestView } from '../../../judges/inspection/view.ts'
import { faults } from '../../../service/call/fault.ts'
import { windowNames } from '../../../service/limits/window.ts'
import { operationIds } from '../../../service/operations/operations.ts'
import { countView, flagView, instantView, orNull, textView } from '../routing/shapes.ts'

/* The views of requests. These schemas describe answers; nothing is checked by them. */

const requestId = (description: string) =>
  z
    .int()
    .min(1)
    .meta({ description, examples: [17] })

const windowView = z
  .strictObject({
    limit: countView('The quota of the window.'),
    used: countView('Requests in the window, this one included if it was accepted.'),
    remaining: countView('Requests left after this one.'),
    opensAt: orNull(instantView('When the window opened.')),
    resetsAt: orNull(instantView('When the window resets.')),
    openedBy: orNull(requestId('The request that opened the window.')),
  })
  .meta({ id: 'RequestWindow' })

const messageView = z
  .strictObject({
    headers: z
      .record(z.string(), z.union([z.string(), z.array(z.string())]))
      .meta({ description: 'By lower-case name. A repeated header has a list.' }),
    body: orNull(textView('As text; null if there is none.')),
    cutFrom: orNull(countView('Bytes of the whole body, if only its first 16 KiB are kept.')),
  })
  .meta({ id: 'Message' })

const requestFields = {
  id: requestId('Grows by one with each request of a sandbox, even after a reset.'),
  sandbox: z.string(),
  at: instantView('Time on the emulator’s clock.'),
  receivedAt: instantView('Real time.'),
  method: z.string(),
  target: textView('Path and query, as sent.'),
  path: z.string(),
  status: z.int().meta({ description: 'Status of the answer.' }),
  code: orNull(textView('Code of the error.')),
  operation: z
    .union([z.enum(operationIds), z.string()])
    .nullable()
    .meta({
      description:
        'The operation that the request is for, even if it was refused before. Open areas use the contract’s name.',
    }),
  stability: z.enum(['experimental', 'beta']).nullable().meta({ description: 'Stability of the operation.' }),
  key: orNull(textView('Masked, except with keys=shown.')),
  plan: z.string().nullable(),
  gate: z.enum(gates).meta({ description: 'The gate that decided.' }),
  refused: flagView('Whether a limit or a ban refused the request.'),
  synthetic: flagView('Whether the answer was injected.'),
  rules: z.array(z.string()).meta({ description: 'The rules that acted on the request.' }),
  delayMs: z.number().nullable().meta({ description: 'Delay of the answer.' }),
  fault: z.enum(faults).nullable().meta({ description: 'The injected fault.' }),
  limit: z
    .strictObject({
      accepted: z.boolean(),
      told: z.enum(windowNames).meta({ description: 'The window that the headers describe.' }),
      minute: windowView,
      day: windowView,
    })
    .nullable()
    .meta({ description: 'Both windows after the request; null if the request is not counted.' }),
  request: messageView,
  response: messageView,
  breaches: z
    .array(
      z
        .strictObject({
          side: z.enum(['request', 'response']),
          part: textView('For example body, header or status.'),
          place: textView('Path in that part; empty for the whole part.'),
          message: z.string(),
        })
        .meta({ id: 'Breach' }),
    )
    .meta({ description: 'Breaches of the contract; empty without --contract.' }),
} satisfies Record<keyof RequestView, z.ZodType>

const requestView = z.strictObject(requestFields).meta({ id: 'Request' })

const explanationFields = {
  sentences: z.array(z.string()).meta({ description: 'The explanation as text.' }),
  gate: z.enum(gates),
  mismatches: z
    .array(z.strictObject({ what: z.string(), asked: z.string(), expected: z.string() }))
    .meta({ description: 'The values that were sent, and the nearest valid ones.' }),
  ignored: z
    .array(
      z.strictObject({
        what: z.enum(['query parameter', 'field']),
        name: z.string(),
        meant: z.string().nullable(),
      }),
    )
    .meta({ description: 'Parts of the request that the server ignored.' }),
  strikes: z
    .strictObject({
      count: countView('Refused requests since the last accepted one, this one included.'),
      after: orNull(countView('Number of refusals that leads to a ban.')),
      bannedUntil: orNull(instantView('When the ban ends.')),
      bannedBy: orNull(requestId('The request that caused the ban, if the journal still has it.')),
    })
    .nullable(),
} satisfies Record<keyof Explanation, z.ZodType>

export const explainedRequest = z
  .strictObject({ ...requestFields, explanation: z.strictObject(explanationFields) })
  .meta({ id: 'ExplainedRequest' })

export const requestList = z
  .strictObject({
    requests: z.array(requestView).meta({ description: 'The newest first.' }),
    meta: z.strictObject({
      total: countView('Matching requests, regardless of the limit.'),
      kept: countView('Requests in the journal.'),
      capacity: countView('Most requests that a journal keeps.'),
      evicted: countView('Requests that the journal dropped to make room.'),
    }),
  })
  .meta({ id: 'Requests' })

export const requestCount = z.strictObject({ count: countView('Matching requests.') }).meta({ id: 'Count' })

export const waited = z
  .strictObject({
    reached: flagView('Whether enough requests came; false: timeout.'),
    count: countView('Matching requests.'),
  })
  .meta({ id: 'Waited' })
