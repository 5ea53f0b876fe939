import * as z from 'zod'
import { isObject } from '../../../base/json/is-object.ts'
import type { JsonObject, JsonValue } from '../../../base/json/value.ts'
import { anyDuration, durations } from '../../../base/text/constraint.ts'
import { quotas } from '../../../emulator/worlds/constraints.ts'
import { faults } from '../../../service/call/fault.ts'
import { operationIds } from '../../../service/operations/operations.ts'
import { duration, text, wholeNumber } from '../../files/shapes.ts'
import {
  errorCodes,
  headerNames,
  headerValues,
  keyPatterns,
  methods,
  pathPatterns,
  ruleNames,
  shares,
  statuses,
} from '../objects/rule-shapes.ts'
import { given, itemField } from './field.ts'

/* What goes wrong, and when. */

const ms = durations('a duration, such as 250ms or 2s', 0)
const range = (of: z.ZodType<string>) =>
  z.tuple([of, of], { error: 'a list of two durations, from and to' }).meta({ minItems: 2, maxItems: 2 })

const match = z.strictObject({
  operation: itemField(z.enum(operationIds), 'The operation that the call is for.', {
    examples: ['createPet'],
  }),
  method: itemField(z.enum(methods), "The call's method; GET stands for HEAD, too.", { examples: ['POST'] }),
  path: itemField(
    text(pathPatterns),
    "The call's path with its /v1. A name in braces stands for one segment, * for any characters of one.",
    { examples: ['/v1/pets', '/v1/pets/{petId}', '/v1/store/*'] },
  ),
  key: itemField(text(keyPatterns), 'The API key, without its sandbox; * stands for any characters.', {
    examples: ['demo-free', 'demo-*'],
  }),
  plan: itemField(z.string(), "The key's plan.", { examples: ['free'] }),
  query: itemField(
    z.record(z.string(), z.union([z.string(), z.number(), z.boolean()], { error: 'a text or a number' })),
    'Query parameters that must be there; * stands for any characters of a value.',
    { examples: [{ status: 'sold', cursor: '*' }] },
  ),
  body: itemField(
    z
      .custom<JsonObject>(isObject, {
        error: 'a map of fields',
      })
      .meta({ type: 'object' }),
    "What the call's JSON body must hold at least.",
    { examples: [{ name: 'Rex' }] },
  ),
})

const when = z.strictObject({
  first: itemField(wholeNumber(quotas), 'Its first calls.', { examples: [2] }),
  every: itemField(wholeNumber(quotas), 'Every so many calls: 3 is the third, the sixth, and so on.', {
    examples: [3],
  }),
  after: itemField(
    z.union([
      wholeNumber(quotas),
      duration({ ...anyDuration, expected: 'a number of calls or a duration, such as 3 or 30s' }),
    ]),
    'From after so many calls on, or after so much time from the start.',
    { examples: [3, '30s'] },
  ),
  between: itemField(range(duration()), 'From one time after the start until another.', {
    examples: [['10s', '40s']],
  }),
  probability: itemField(
    z.number({ error: shares.expected }).gt(0, { error: shares.expected }).lte(1, { error: shares.expected }),
    'The share of the calls, drawn from the seed: the same calls of a key have the same fate each time.',
    { examples: [0.05] },
  ),
})

const delay = z.union(
  [
    z
      .strictObject({
        uniform: itemField(range(duration(ms)), 'Between two durations, each as likely.', {
          examples: [['50ms', '400ms']],
        }),
        lognormal: itemField(
          z.strictObject({
            median: duration(ms).meta({ description: 'Half of the calls wait less.', examples: ['80ms'] }),
            p99: duration(ms).meta({ description: '99 of 100 calls wait less.', examples: ['900ms'] }),
          }),
          'As the response times of real services lie: most are short, a few are long.',
          { examples: [{ median: '80ms', p99: '900ms' }] },
        ),
      })
      .meta(given('oneOf', ['uniform', 'lognormal'])),
    duration(ms),
  ],
  { error: 'a duration, uniform or lognormal' },
)

const then = z
  .strictObject({
    status: itemField(
      wholeNumber(statuses),
      "The status. Without it: that of a code of the API's, or 200 with a body of its own.",
      { examples: [503] },
    ),
    code: itemField(text(errorCodes), 'The code of the Error shape.', {
      default: 'injected_fault',
      examples: ['service_unavailable'],
    }),
    message: itemField(z.string(), 'The message of the Error shape.', { examples: ['Back in a minute.'] }),
    headers: itemField(
      z.record(
        text(headerNames),
        z.union([text(headerValues), z.int()], {
          error: 'a text or a whole number',
        }),
      ),
      'Headers beside those that every answer has.',
      { examples: [{ 'Retry-After': 30 }] },
    ),
    body: itemField(
      z.custom<JsonValue>(),
      'A body in the place of the Error shape: a text as it is, anything else as JSON.',
      { examples: ['<h1>Bad Gateway</h1>', { error: 'down' }] },
    ),
    delay: itemField(
      delay,
      "How long the reply is held back, in the client's time. With nothing else: the usual reply, later.",
      {
        examples: ['2s', { uniform: ['50ms', '400ms'] }, { lognormal: { median: '80ms', p99: '900ms' } }],
      },
    ),
    fault: itemField(
      z.enum(faults),
      'How the reply breaks on its way. Without a status: the reply that the call gets anyway.',
      {
        examples: ['reset'],
      },
    ),
  })
  .meta(given('anyOf', ['status', 'code', 'body', 'delay', 'fault']))

export const ruleSchema = z
  .strictObject({
    name: itemField(
      text(ruleNames),
      'What the rule is called, in X-Pet-Mock and in logs. Without it: rule-1 for the first, and so on.',
      {
        examples: ['creating fails twice, then works'],
      },
    ),
    match: itemField(
      match,
      'The calls that the rule is about: all that is given must hold. Without it: every call.',
      {
        examples: [{ operation: 'createPet', key: 'demo-*' }],
      },
    ),
    when: itemField(
      when,
      'Which of those calls it acts on, counted for each key: all that is given must hold. Without it: each.',
      {
        examples: [{ first: 2 }, { probability: 0.05 }],
      },
    ),
    // Inside of the schema the name is a field like others: nobody awaits a rule.
    then: itemField(then, 'What it does: an answer, a delay, a fault, or several of these.', {
      examples: [{ status: 503 }, { delay: '2s' }, { fault: 'reset' }],
    }),
    times: itemField(wholeNumber(quotas), 'How often it acts, over all keys.', { examples: [10] }),
    ttl: itemField(duration(), 'How long it lives, from the start on.', { examples: ['5m'] }),
  })
  .meta({ required: ['then'] })

export const rulesSchema = z.array(ruleSchema)
