import {
  anyDuration,
  anyText,
  type Constraint,
  choices,
  flags,
  numbers,
  texts,
  wholeNumbers,
} from '../../../base/text/constraint.ts'
import { errorCodes, quotas } from '../../../emulator/worlds/constraints.ts'
import { type Amount, type AmountForm, faults, faultTraits } from '../../../service/call/fault.ts'
import { operationIds } from '../../../service/operations/operations.ts'
import {
  anyJson,
  either,
  field,
  itemMap,
  jsonMap,
  type MapShape,
  names,
  pair,
  required,
  type Shape,
  variants,
} from '../../fields/field.ts'
import { ms } from './settled.ts'
import { delays, headerNames, headerValues } from './texts.ts'

/* Faults as scenarios write them, and as snapshots hold them. Both are derived from the table of faults. */

/** A word, or a map with one name and its amount. */
export const fault = faultShape(({ constraint }) => constraint)
/** With times in milliseconds. */
export const savedFault = faultShape(({ constraint }) => (constraint.type === 'duration' ? ms : constraint))

function faultShape(constraintOf: (amount: Amount) => Constraint): Shape {
  const words = faults.filter(name => faultTraits[name].effect !== undefined)
  const rows = faults.flatMap(name => {
    const { amount } = faultTraits[name]
    return amount === undefined ? [] : [{ name, ...amount }]
  })
  const amounts = itemMap(
    Object.fromEntries(
      rows.map(({ name, effect, forms }) => {
        const about = `${effect.charAt(0).toUpperCase()}${effect.slice(1)}.`
        return [name, field(formsShape(forms, constraintOf), about, forms.map(exampleOf))]
      }),
    ),
    { how: 'oneOf', names: rows.map(({ name }) => name), expected: 'exactly one fault with its amount' },
  )
  const expected = `one of ${words.join(', ')}, or a fault with an amount, such as { slow-close: 2s }`
  return either(expected, choices(...words), amounts)
}

function formsShape(forms: readonly AmountForm[], constraintOf: (amount: Amount) => Constraint): Shape {
  const [first, ...others] = forms.map(form => formShape(form, constraintOf))
  if (first === undefined) throw new Error('A fault with an amount has a form')
  if (others.length === 0) return first
  const names = forms.map(form => (isOne(form) ? form.constraint.expected : Object.keys(form).join(' and ')))
  const maps = [first, ...others].filter((shape): shape is MapShape => shape.type === 'map')
  return variants(`one of ${names.join(' or ')}`, ...maps)
}

function formShape(form: AmountForm, constraintOf: (amount: Amount) => Constraint): Shape {
  if (isOne(form)) return constraintOf(form)
  const parts = Object.entries(form).map(
    ([name, part]) => [name, required(constraintOf(part), part.about, [part.example])] as const,
  )
  return itemMap(Object.fromEntries(parts))
}

/** How an amount is written: `5s`, or `{ chunk: 100, every: 500ms }`. */
export function exampleOf(form: AmountForm): unknown {
  if (isOne(form)) return form.example
  return Object.fromEntries(Object.entries(form).map(([name, { example }]) => [name, example]))
}

/** The parts of an amount that are times; `''` stands for an amount without names. */
export function timesOf(name: keyof typeof faultTraits): ReadonlySet<string> {
  const parts = (faultTraits[name].amount?.forms ?? []).flatMap(form =>
    Object.entries(isOne(form) ? { '': form } : form),
  )
  return new Set(parts.filter(([, { constraint }]) => constraint.type === 'duration').map(([part]) => part))
}

function isOne(form: AmountForm): form is Amount {
  return 'constraint' in form
}

/* Rules: injected faults, and when they happen. */

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
/** Names appear in logs and in a header: no control characters, and no spaces at the ends, because headers drop them. */
export const ruleNames = texts(
  'a name of up to 100 visible characters',
  /^[^\p{C}\p{Z}](?:[^\p{C}]{0,98}[^\p{C}\p{Z}])?$/u,
)
/** Braces stand for a whole segment: next to other characters they would be literal. */
const pathPatterns = texts(
  'a whole path, such as /v1/pets/{petId}, with braces around whole segments only',
  /^\/v1(?:\/(?:\{[^{}/?#\s]*\}|[^{}/?#\s]*))*$/,
)
const keyPatterns = texts('an API key, with * for any characters', /^[A-Za-z0-9._~+/*-]+=*$/)
export const statuses = wholeNumbers('a status from 200 to 599', 200, 599)
const upToAll = numbers('a number above 0 and up to 1, such as 0.05 for 5 %', 0, 1)
const shares: Constraint = {
  ...upToAll,
  accepts: value => value !== 0 && upToAll.accepts(value),
  schema: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
}
const callsOrTime = { ...anyDuration, expected: 'a number of calls or a duration, such as 3 or 30s' }
const queryValues: Constraint = {
  type: 'choice',
  expected: 'a text or a number',
  accepts: value => anyText.accepts(value) || flags.accepts(value) || Number.isFinite(value),
  schema: { type: ['string', 'number', 'boolean'] },
}
const headerNumbers = wholeNumbers('a whole number', Number.MIN_SAFE_INTEGER)
const twoDurations = 'a list of two durations, from and to'

export const match = itemMap({
  operation: field(choices(...operationIds), 'The operation that the call is for.', ['createPet']),
  method: field(choices(...methods), "The call's method. GET includes HEAD.", ['POST']),
  path: field(
    pathPatterns,
    "The call's path, /v1 included. A name in braces stands for one segment, * for any characters within one.",
    ['/v1/pets', '/v1/pets/{petId}', '/v1/store/*'],
  ),
  key: field(keyPatterns, 'The API key without its sandbox; * stands for any characters.', [
    'demo-free',
    'demo-*',
  ]),
  plan: field(anyText, "The key's plan.", ['free']),
  query: field(
    names(anyText, queryValues),
    'Query parameters that the call must have; * stands for any characters of a value.',
    [{ status: 'sold', cursor: '*' }],
  ),
  body: field(jsonMap, "Fields that the call's JSON body must contain.", [{ name: 'Rex' }]),
})

export const when = itemMap({
  first: field(quotas, 'Acts on the first N calls.', [2]),
  every: field(quotas, 'Acts on every n-th call: 3 is the third, the sixth, and so on.', [3]),
  after: field(
    either(callsOrTime.expected, quotas, callsOrTime),
    'Acts after this many calls, or after this time from the start.',
    [3, '30s'],
  ),
  between: field(pair(anyDuration, twoDurations), 'Acts between two times after the start.', [
    ['10s', '40s'],
  ]),
  probability: field(
    shares,
    'Acts on this share of the calls, drawn from the seed: the same calls of a key in every run.',
    [0.05],
  ),
})

export const drawnDelay = itemMap(
  {
    uniform: field(pair(delays, twoDurations), 'Between two durations, evenly distributed.', [
      ['50ms', '400ms'],
    ]),
    lognormal: field(
      itemMap({
        median: required(delays, 'Half of the calls wait less.', ['80ms']),
        p99: required(delays, '99 of 100 calls wait less.', ['900ms']),
      }),
      'Like the response times of real services: most are short, a few are long.',
      [{ median: '80ms', p99: '900ms' }],
    ),
  },
  { how: 'oneOf', names: ['uniform', 'lognormal'], expected: 'one of uniform and lognormal' },
)

export const then = itemMap(
  {
    status: field(
      statuses,
      "The status. Without a code and a body, the error is the service's for it. Default: that of the API's own code, or 200 with a body.",
      [503],
    ),
    code: field(
      errorCodes,
      "The code of the Error shape. Default: the service's for the status and the call, or injected_fault for a status that it does not have.",
      ['service_unavailable'],
    ),
    message: field(anyText, 'The message of the Error shape.', ['Back in a minute.']),
    headers: field(
      names(headerNames, either('a text or a whole number', headerValues, headerNumbers)),
      'Headers to add, or to replace those that every response has.',
      [{ 'Retry-After': 30 }],
    ),
    body: field(anyJson, 'Replaces the Error shape. Text is sent unchanged, anything else as JSON.', [
      '<h1>Bad Gateway</h1>',
      { error: 'down' },
    ]),
    delay: field(
      either('a duration, uniform or lognormal', drawnDelay, delays),
      'Delays the response in real time, even on a frozen clock. Without a status, the usual response is delayed.',
      ['2s', { uniform: ['50ms', '400ms'] }, { lognormal: { median: '80ms', p99: '900ms' } }],
    ),
    fault: field(fault, 'How the response breaks. Without a status, the usual response breaks.', [
      'reset',
      { slow: { bytesPerSecond: 1000 } },
    ]),
    direction: field(
      choices('request', 'response'),
      'On the request, the call is not carried out. On the response, it is. Default: request with a status, else response.',
      ['response'],
    ),
  },
  { how: 'anyOf', names: ['status', 'code', 'body', 'delay', 'fault'] },
)

export const rule = itemMap(
  {
    name: field(
      ruleNames,
      'The name of the rule in X-Pet-Mock and in logs. Default: rule-1 for the first, and so on.',
      ['creating fails twice, then works'],
    ),
    match: field(match, 'The calls that the rule is about. All fields must match. Default: every call.', [
      { operation: 'createPet', key: 'demo-*' },
    ]),
    when: field(
      when,
      'Which matching calls the rule acts on, counted per key. All conditions must hold. Default: every call.',
      [{ first: 2 }, { probability: 0.05 }],
    ),
    then: field(then, 'What the rule does: a response, a delay, a fault, or several of these.', [
      { status: 503 },
      { delay: '2s' },
      { fault: 'reset' },
    ]),
    on: field(flags, 'With false, it acts once an event, a step or a person switches it on.', [false], {
      default: true,
    }),
    times: field(quotas, 'How often the rule acts at most, over all keys.', [10]),
    ttl: field(anyDuration, 'How long the rule lives, counted from the start.', ['5m']),
  },
  { how: 'anyOf', names: ['then'] },
)
