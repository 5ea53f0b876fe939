import {
  anyDuration,
  type Constraint,
  choices,
  numbers,
  shownTexts,
  texts,
  wholeNumbers,
} from '../../../base/text/constraint.ts'
import { savedName, savedSource } from '../../../base/text/references.ts'
import { failures } from '../../../service/call/fault.ts'
import {
  anyJson,
  either,
  field,
  itemMap,
  list,
  names,
  required,
  type Shape,
  variants,
} from '../../fields/field.ts'
import { statuses } from './rules.ts'
import { headerNames } from './texts.ts'

/* Walkthroughs: what a client does, step by step. `scenarios play` runs and checks them. */

/** A method (RFC 9110, section 9.1) and a request target, without a fragment: clients never send one. */
const calls = texts(
  'a method and a path without a #, such as GET /v1/pets?limit=5',
  /^[A-Z][A-Z-]{0,31} \/[\x21\x22\x24-\x7e]*$/,
)
/** RFC 9110, section 5.5. */
const headerTexts = texts('a header value, without line breaks', /^[\t\x20-\x7e\x80-\xff]*$/)
const anyNumber = numbers('a number', Number.NEGATIVE_INFINITY)
const keyOrNull: Constraint = {
  ...texts('an API key or null', /^[\x21-\x7e]+$/),
  accepts: value => value === null || (typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)),
  schema: { type: ['string', 'null'], pattern: '^[\\x21-\\x7e]+$' },
}
const anyOrNone: Constraint = {
  type: 'choice',
  expected: 'true or null',
  accepts: value => value === true || value === null,
  schema: { enum: [true, null] },
}
const times = wholeNumbers('a whole number of calls from 1 to 10000', 1, 10_000)
const counts = (what: string) => wholeNumbers(`a whole number of ${what} (0 or more)`, 0)

const note = field(shownTexts, 'A note for people.', ['The client waits as long as Retry-After says.'])

export const expectation = itemMap({
  status: field(
    statuses,
    'The status of the response. With repeat or parallel, of every response.',
    [200, 429],
  ),
  statuses: field(
    names(texts('a status', /^[2-5][0-9]{2}$/), counts('responses')),
    'How many responses of each status repeated or parallel calls get.',
    [{ 200: 60, 429: 10 }],
  ),
  headers: field(
    names(
      headerNames,
      either(
        'text, a number, true (it is there) or null (it is not there)',
        headerTexts,
        anyNumber,
        anyOrNone,
      ),
    ),
    'Headers by name, in any case: a value, true for any value, null for no such header. With repeat, those of the last response.',
    [{ 'Retry-After': 60, Link: true, Deprecation: null }],
  ),
  body: field(
    anyJson,
    'A part of the body. Only the fields given are compared; null also matches a missing field. A list must have exactly these items. With repeat, the last body.',
    [{ code: 'rate_limit_exceeded' }, [{ id: 1 }]],
  ),
  length: field(counts('items'), 'The number of items in the body. With repeat, in the last one.', [20]),
  fails: field(
    choices(...failures),
    'The call gets no complete response: the connection is reset or closed, the body is cut off or is not JSON, or nothing arrives.',
    ['reset'],
  ),
})

export const callStep = itemMap({
  note,
  call: required(calls, 'The method and the path of a call, /v1 included.', [
    'GET /v1/pets?limit=5',
    'POST /v1/pets',
  ]),
  key: field(keyOrNull, "The API key, or null for none. Default: the scenario's key.", ['demo-pro', null]),
  headers: field(
    names(headerNames, either('text or a number', headerTexts, anyNumber)),
    'More headers of the call.',
    [{ 'Content-Type': 'text/plain' }],
  ),
  body: field(anyJson, 'The body. Text is sent as it is, anything else as JSON.', [
    { name: 'Rex', categoryId: 1 },
    '{"name": ',
  ]),
  repeat: field(times, 'Makes this many calls, one after the other.', [3]),
  parallel: field(times, 'Makes this many calls at once.', [200]),
  save: field(
    names(
      texts('a name of letters, digits, _ and -', savedName),
      texts(
        'body, a field of it such as body.id or body[0].id, or a parameter of the next link such as next.cursor',
        savedSource,
      ),
    ),
    'Values of the response by name: a field of the body, or a parameter of the link rel="next". ${name} in later steps stands for the value. With repeat, those of the last response.',
    [{ rex: 'body.id', page2: 'next.cursor' }],
  ),
  expect: field(expectation, 'What the response must be.', [{ status: 200, length: 5 }]),
})

export const advanceStep = itemMap({
  note,
  advance: required(anyDuration, 'Moves the clock forward by a duration.', ['60s', '24h']),
})

const noteStep = itemMap({ note: required(note.shape, note.about, note.examples) })

/** `command`: what a step can change from outside. */
export function walkthroughOf(command: Shape) {
  const changeStep = itemMap({
    note,
    change: required(command, 'A command that changes the emulator, such as banKey.', [
      { do: 'banKey', key: 'demo-free', for: '2m' },
    ]),
  })
  return list(
    variants('a map with call, advance, change or note', callStep, advanceStep, changeStep, noteStep),
  )
}
