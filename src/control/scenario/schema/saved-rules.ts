import * as z from 'zod'
import { readJson } from '../../../base/json/read.ts'
import { faults } from '../../../service/call/fault.ts'
import { operationIds } from '../../../service/operations/operations.ts'
import { headerNames, headerValues, ruleNames } from '../objects/rule-shapes.ts'

/* Rules as a snapshot has them: settled, with what they have counted. */

const instant = z.number()
const count = z.int().gte(0)
const ms = z.number().gte(0)
const text = z.string()

const match = z.strictObject({
  operation: z.enum(operationIds).optional(),
  method: text.optional(),
  path: text.optional(),
  key: text.optional(),
  plan: text.optional(),
  query: z.record(text, text).optional(),
  body: text.refine(body => 'value' in readJson(body), { error: 'a text of JSON' }).optional(),
})

const when = z.strictObject({
  first: count.optional(),
  every: count.optional(),
  afterCalls: count.optional(),
  afterMs: ms.optional(),
  between: z.tuple([ms, ms]).optional(),
  probability: z.number().optional(),
})

const delay = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('fixed'), ms }),
  z.strictObject({ kind: z.literal('uniform'), fromMs: ms, toMs: ms }),
  z.strictObject({ kind: z.literal('lognormal'), medianMs: ms, p99Ms: ms }),
])

const answer = z.strictObject({
  status: z.int().gte(200).lte(599),
  code: text.optional(),
  headers: z.record(text.regex(headerNames.pattern), text.regex(headerValues.pattern)),
  body: text,
})

export const ruleSchema = z.strictObject({
  name: text.regex(ruleNames.pattern),
  match,
  when,
  effect: z.strictObject({
    delay: delay.optional(),
    answer: answer.optional(),
    fault: z.enum(faults).optional(),
  }),
  times: count.optional(),
  ttlMs: ms.optional(),
})

export const savedRulesSchema = z.strictObject({
  seed: count,
  rules: z.array(
    z.strictObject({
      rule: ruleSchema,
      added: z.boolean(),
      since: instant,
      calls: z.record(text, count),
      acted: count,
    }),
  ),
})
