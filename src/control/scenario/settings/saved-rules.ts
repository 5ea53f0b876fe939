import { jsonIn } from '../../../base/json/read.ts'
import { anyText, choices, flags, numbers, wholeNumbers } from '../../../base/text/constraint.ts'
import { names, pair, record, type Shape, type TaggedShape } from '../../fields/field.ts'
import { savedFault } from './faults.ts'
import { match, ruleNames, statuses, then } from './rules.ts'
import { ms } from './settled.ts'
import { headerNames, headerValues } from './texts.ts'

/* Rules as a snapshot has them. */

const count = wholeNumbers('a whole number (0 or more)', 0)

const jsonText = {
  ...anyText,
  expected: 'a text of JSON',
  accepts: (value: unknown) => typeof value === 'string' && jsonIn(value) !== undefined,
}

const optional = (fields: Readonly<Record<string, Shape>>) => record({}, fields)

const delay: TaggedShape = {
  type: 'tagged',
  tag: 'kind',
  options: {
    fixed: record({ kind: choices('fixed'), ms }),
    uniform: record({ kind: choices('uniform'), fromMs: ms, toMs: ms }),
    lognormal: record({ kind: choices('lognormal'), medianMs: ms, p99Ms: ms }),
  },
}

const answer = record(
  { status: statuses, headers: names(headerNames, headerValues), body: anyText },
  { code: anyText, message: anyText, isServices: flags },
)

export const savedRule = record(
  {
    name: ruleNames,
    match: optional({
      operation: match.fields.operation.shape,
      method: anyText,
      path: anyText,
      key: anyText,
      plan: anyText,
      query: names(anyText, anyText),
      body: jsonText,
    }),
    when: optional({
      first: count,
      every: count,
      afterCalls: count,
      afterMs: ms,
      between: pair(ms, 'a list of two numbers'),
      probability: numbers('a number from 0 to 1', 0, 1),
    }),
    effect: optional({ delay, answer, fault: savedFault, direction: then.fields.direction.shape }),
  },
  { times: count, ttlMs: ms, off: flags },
)
