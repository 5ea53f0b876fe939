import * as z from 'zod'
import type { JsonValue } from '../../../base/json/value.ts'
import { texts, wholeNumbers } from '../../../base/text/constraint.ts'
import { failures } from '../../../service/call/fault.ts'
import type { Command } from '../../change/command.ts'
import { duration, shownText, text, wholeNumber } from '../../files/shapes.ts'
import { calls, headerNamePattern, headerValuePattern, maxTimes } from '../checks/walkthrough.ts'
import type { RuleFields, ScenarioFile } from '../file.ts'
import type { Step } from '../walkthrough.ts'

/* A client's story, which `scenarios play` acts out and checks. */

function told<T extends z.ZodType>(schema: T, description: string, ...examples: readonly unknown[]) {
  return schema.meta({ description, examples: [...examples] })
}

const jsonValue = () => z.custom<JsonValue>(() => true)
const headerName = text(texts('a header name', headerNamePattern))
const headerText = text(texts('a header value, without line breaks', headerValuePattern))
const times = (least: number) =>
  wholeNumber(wholeNumbers(`a whole number of calls from ${least} to ${maxTimes}`, least, maxTimes))
const note = told(shownText(), 'What the step is about, for people.', 'The client waits as it was told to.')

const expectation = z.strictObject({
  status: told(
    wholeNumber(wholeNumbers('a status from 200 to 599', 200, 599)),
    'The status of the answer; of repeated or parallel calls, of each.',
    200,
    429,
  ).optional(),
  statuses: told(
    z.record(
      text(texts('a status', /^[2-5][0-9]{2}$/)),
      wholeNumber(wholeNumbers('a whole number of answers (0 or more)', 0)),
    ),
    'How many answers of each status repeated or parallel calls get.',
    { 200: 60, 429: 10 },
  ).optional(),
  headers: told(
    z.record(
      headerName,
      z.union([headerText, z.number(), z.literal(true), z.null()], {
        error: 'text, a number, true (it is there) or null (it is not there)',
      }),
    ),
    'Headers by name, in any case: their value, true for any value, null for a header that is not there. Of repeated calls, those of the last answer.',
    { 'Retry-After': 60, Link: true, Deprecation: null },
  ).optional(),
  body: told(
    jsonValue(),
    'What the body holds at least: named fields (null: not there, or null); a list is as long as it is told, item by item. Of repeated calls, the last body.',
    { code: 'rate_limit_exceeded' },
    [{ id: 1 }],
  ).optional(),
  length: told(
    wholeNumber(wholeNumbers('a whole number of items (0 or more)', 0)),
    'How many items the list in the body has.',
    20,
  ).optional(),
  fails: told(
    z.enum(failures),
    'There is no whole answer: the connection is reset or ends empty, the body is cut off or is no JSON, or nothing comes at all.',
    'reset',
  ).optional(),
})

const callStep = z.strictObject({
  note: note.optional(),
  call: told(
    text(calls),
    'A call: its method and its path, /v1 included.',
    'GET /v1/pets?limit=5',
    'POST /v1/pets',
  ),
  key: told(
    text(texts('an API key or null', /^[\x21-\x7e]+$/)).nullable(),
    "The API key; null: none. Without it: the scenario's key.",
    'demo-pro',
    null,
  ).optional(),
  headers: told(
    z.record(headerName, z.union([headerText, z.number()], { error: 'text or a number' })),
    'Further headers of the call.',
    { 'Content-Type': 'text/plain' },
  ).optional(),
  body: told(
    jsonValue(),
    'The body. A text is sent as it stands, anything else as JSON.',
    { name: 'Rex', categoryId: 1 },
    '{"name": ',
  ).optional(),
  repeat: told(times(1), 'The call is made so many times, one after the other.', 3).optional(),
  parallel: told(times(1), 'The call is made so many times at once.', 200).optional(),
  expect: told(expectation, 'What the answer must be.', { status: 200, length: 5 }).optional(),
})

export function createWalkthroughSchema(command: z.ZodType<Command<ScenarioFile, RuleFields>>) {
  const advanceStep = z.strictObject({
    note: note.optional(),
    advance: told(duration(), 'Time that passes.', '60s', '24h'),
  })
  const changeStep = z.strictObject({
    note: note.optional(),
    change: told(command, 'A change from outside, by a command.', {
      do: 'banKey',
      key: 'demo-free',
      for: '2m',
    }),
  })
  const step = z.union([callStep, advanceStep, changeStep, z.strictObject({ note })], {
    error: 'a map with call, advance, change or note',
  })
  return z.array(step) satisfies z.ZodType<readonly Step[]>
}
