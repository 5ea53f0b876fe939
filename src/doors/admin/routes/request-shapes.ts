import * as z from 'zod'
import { gates } from '../../../emulator/journal/exchange.ts'
import type { Explanation } from '../../../judges/inspection/explain.ts'
import type { RequestView } from '../../../judges/inspection/view.ts'
import { faults } from '../../../service/call/fault.ts'
import { windowNames } from '../../../service/limits/window.ts'
import { operationIds } from '../../../service/operations/operations.ts'
import { countView, instantView } from '../routing/shapes.ts'

/* What is told of requests. These describe what is sent, and check nothing. */

const requestId = (description: string) =>
  z
    .int()
    .min(1)
    .meta({ description, examples: [17] })

const windowView = z
  .strictObject({
    limit: countView('How many requests it takes.'),
    used: countView('How many were made in it, this one included if it was accepted.'),
    remaining: countView('How many were left after this one.'),
    opensAt: instantView('When it was opened.').nullable(),
    resetsAt: instantView('When it resets.').nullable(),
    openedBy: requestId('The request that opened it.').nullable(),
  })
  .meta({ id: 'RequestWindow' })

const messageView = z
  .strictObject({
    headers: z
      .record(z.string(), z.union([z.string(), z.array(z.string())]))
      .meta({ description: 'By lower-case name; a list, where a header was sent several times.' }),
    body: z.string().nullable().meta({ description: 'As text; null where there is none.' }),
    cutFrom: countView('The bytes of the whole body, where only the first 16 KiB are kept.').nullable(),
  })
  .meta({ id: 'Message' })

const requestFields = {
  id: requestId('Grows by one with each request of a sandbox, also after a reset.'),
  sandbox: z.string(),
  at: instantView('On the emulator’s clock.'),
  receivedAt: instantView('In real time.'),
  method: z.string(),
  target: z.string().meta({ description: 'Path and query, as sent.' }),
  path: z.string(),
  status: z.int().meta({ description: 'Of the answer.' }),
  code: z.string().nullable().meta({ description: 'Of the error.' }),
  operation: z
    .union([z.enum(operationIds), z.string()])
    .nullable()
    .meta({
      description: 'What it was for, whether or not it got there; of an open area, as the contract names it.',
    }),
  stability: z.enum(['experimental', 'beta']).nullable().meta({ description: 'A mark of the operation.' }),
  key: z.string().nullable().meta({ description: 'Masked, unless it is asked for with keys=shown.' }),
  plan: z.string().nullable(),
  gate: z.enum(gates).meta({ description: 'The gate that decided.' }),
  refused: z.boolean().meta({ description: 'Whether a limit or a ban refused it.' }),
  synthetic: z.boolean().meta({ description: 'Whether the answer was made up.' }),
  rules: z.array(z.string()).meta({ description: 'The rules that acted.' }),
  delayMs: z.number().nullable().meta({ description: 'How long the answer was held back.' }),
  fault: z.enum(faults).nullable().meta({ description: 'How the answer was broken.' }),
  limit: z
    .strictObject({
      accepted: z.boolean(),
      told: z.enum(windowNames).meta({ description: 'The window that the headers told of.' }),
      minute: windowView,
      day: windowView,
    })
    .nullable()
    .meta({ description: 'Both windows after the request; null where nothing is counted.' }),
  request: messageView,
  response: messageView,
  breaches: z
    .array(
      z
        .strictObject({
          side: z.enum(['request', 'response']),
          part: z.string().meta({ description: 'Such as body, header or status.' }),
          place: z.string().meta({ description: 'In that part; empty for the whole of it.' }),
          message: z.string(),
        })
        .meta({ id: 'Breach' }),
    )
    .meta({ description: 'How it breaks the contract; empty without --contract.' }),
} satisfies Record<keyof RequestView, z.ZodType>

const requestView = z.strictObject(requestFields).meta({ id: 'Request' })

const explanationFields = {
  sentences: z.array(z.string()).meta({ description: 'For people.' }),
  gate: z.enum(gates),
  mismatches: z
    .array(z.strictObject({ what: z.string(), asked: z.string(), expected: z.string() }))
    .meta({ description: 'What was asked, beside the nearest thing that would have worked.' }),
  ignored: z
    .array(
      z.strictObject({
        what: z.enum(['query parameter', 'field']),
        name: z.string(),
        meant: z.string().nullable(),
      }),
    )
    .meta({ description: 'What was said and not listened to.' }),
  strikes: z
    .strictObject({
      count: countView('Refused requests since the last accepted one, this one included.'),
      after: countView('How many ban.').nullable(),
      bannedUntil: instantView('When the ban ends.').nullable(),
      bannedBy: requestId('The request that banned, if it is still kept.').nullable(),
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
      total: countView('How many were found, whatever the limit.'),
      kept: countView('How many are in the journal.'),
      capacity: countView('How many the journal of a sandbox keeps.'),
      evicted: countView('How many had to make room for newer ones.'),
    }),
  })
  .meta({ id: 'Requests' })

export const requestCount = z.strictObject({ count: countView('How many were found.') }).meta({ id: 'Count' })

export const waited = z
  .strictObject({
    reached: z
      .boolean()
      .meta({ description: 'Whether as many came as were waited for; false: time ran out.' }),
    count: countView('How many there are.'),
  })
  .meta({ id: 'Waited' })
