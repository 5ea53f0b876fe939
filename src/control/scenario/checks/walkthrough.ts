import { anyDuration, texts } from '../../../base/text/constraint.ts'
import { traitsOf } from '../../../service/call/fault.ts'
import type { Path } from '../../files/show.ts'
import { type CallStep, type Expectation, type Step, timesOf } from '../walkthrough.ts'
import { checkHeaders, ownInCalls } from './headers.ts'
import type { Objection } from './objection.ts'
import { check } from './range.ts'
import { isWithoutContent } from './rule-effect.ts'

/** A method (RFC 9110, section 9.1) and a request target, in characters that may stand in one: a fragment is never sent. */
export const calls = texts(
  'a method and a path without a #, such as GET /v1/pets?limit=5',
  /^[A-Z][A-Z-]{0,31} \/[\x21\x22\x24-\x7e]*$/,
)
/** RFC 9110, section 5.1. */
export const headerNamePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** What a header may hold (RFC 9110, section 5.5). */
export const headerValuePattern = /^[\t\x20-\x7e\x80-\xff]*$/

/** The most calls of one step. */
export const maxTimes = 10_000

/** What one field alone cannot tell of a story. */
export function checkWalkthrough(steps: readonly Step[]): readonly Objection[] {
  return steps.flatMap((step, index) => {
    const path = ['walkthrough', index]
    if ('call' in step) return checkCall(path, step)
    if ('advance' in step) return check([...path, 'advance'], step.advance, anyDuration)
    return []
  })
}

function checkCall(path: Path, step: CallStep): readonly Objection[] {
  const { call, headers, repeat, parallel, expect = {} } = step
  const objections: Objection[] = []
  const object = (field: Path, message: string) => objections.push({ path: [...path, ...field], message })
  objections.push(
    ...check([...path, 'call'], call, calls),
    ...checkHeaders(headers, ownInCalls, [...path, 'headers']),
  )
  if (repeat !== undefined && parallel !== undefined)
    object(['parallel'], 'calls are made one after the other or at once: remove repeat or parallel')
  if (expect.status !== undefined && expect.statuses !== undefined)
    object(['expect', 'statuses'], 'one of status and statuses says it all: remove the other')
  const sum = Object.values(expect.statuses ?? {}).reduce((total, count) => total + count, 0)
  if (expect.statuses !== undefined && sum !== timesOf(step))
    object(['expect', 'statuses'], `these are ${sum} answers, and the step makes ${timesOf(step)} calls`)
  for (const name of ['headers', 'body', 'length'] as const) {
    if (parallel !== undefined && expect[name] !== undefined)
      object(
        ['expect', name],
        'of calls that are made at once there is no last answer: expect status or statuses',
      )
  }
  return [...objections, ...checkExpectation([...path, 'expect'], expect, call.split(' ', 1)[0] ?? '')]
}

/** What no answer can be. */
function checkExpectation(path: Path, expect: Expectation, method: string): readonly Objection[] {
  const { status, body, length, fails } = expect
  const objections: Objection[] = []
  const object = (field: keyof Expectation, message: string) =>
    objections.push({ path: [...path, field], message })
  if (fails !== undefined && Object.values(expect).some(value => value !== undefined && value !== fails))
    object('fails', 'a call that fails has no answer: expect nothing else')
  const bare =
    method === 'HEAD' ? 'to HEAD' : isWithoutContent(status) ? `with the status ${status}` : undefined
  if (bare !== undefined) {
    const message = `an answer ${bare} has no body`
    if (body !== undefined) object('body', message)
    if (length !== undefined) object('length', message)
    if (fails !== undefined && traitsOf(fails).needsBody) object('fails', `${message} that could break`)
  } else if (body !== undefined && length !== undefined) {
    if (!Array.isArray(body))
      object('length', 'a length is that of a list, and body is none: remove one of them')
    else if (body.length !== length)
      object('length', `a list is as long as body tells it, which is ${body.length}: remove length`)
  }
  return objections
}
