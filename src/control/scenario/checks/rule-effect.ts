import { suggest } from '../../../base/text/did-you-mean.ts'
import { parseDuration } from '../../../base/time/duration.ts'
import type { RuleFields, ThenFields } from '../../../generated/scenario-fields.ts'
import { faults, faultTraits, maxDelayMs } from '../../../service/call/fault.ts'
import { problems as errors } from '../../../service/call/problems.ts'
import { type Problem, problemIf } from '../../fields/problem.ts'
import { type Path, showValue } from '../../files/show.ts'
import { answerStatus } from '../settle-rules.ts'
import { checkHeaders, ownInReplies } from './headers.ts'

/** What a rule does must be something, and its parts must fit together. */
export function checkThen({ then = {}, match }: RuleFields, path: Path): readonly Problem[] {
  const status = answerStatus(then)
  const at = [...path, 'then']
  const does = [status, then.delay, then.fault, then.code, then.message, then.headers]
  if (does.every(part => part === undefined))
    return [
      { path, message: 'the rule does nothing: expected then with a status, a body, a delay or a fault' },
    ]
  return [
    ...checkAnswer(then, status, at),
    ...checkFault(then, status, match?.method, at),
    ...checkHeaders(then.headers, ownInReplies, [...at, 'headers']),
    ...checkDelay(then.delay, [...at, 'delay']),
  ]
}

/** Statuses whose answers have no content (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). */
export function isWithoutContent(status: number | undefined): boolean {
  return status === 204 || status === 205 || status === 304
}

function checkAnswer(then: ThenFields, status: number | undefined, path: Path): readonly Problem[] {
  const refuse = (names: readonly ('code' | 'message' | 'headers' | 'body')[], message: string) =>
    names.filter(name => then[name] !== undefined).map(name => ({ path: [...path, name], message }))
  if (status === undefined) {
    if (then.code === undefined)
      return refuse(
        ['message', 'headers'],
        'this is part of an answer, but the rule has no answer: add a status',
      )
    const hint = suggest(then.code, Object.keys(errors)) || ': add a status'
    return refuse(['code'], `this is not a code of the API, so it does not set a status${hint}`)
  }
  const shape = 'this is part of the Error shape'
  if (then.body !== undefined) {
    return [
      ...refuse(['code', 'message'], `${shape}, which the body replaces: remove one of them`),
      ...(isWithoutContent(status) ? refuse(['body'], `a reply with the status ${status} has no body`) : []),
    ]
  }
  return status < 400
    ? refuse(['code', 'message'], `${shape}, which requires a status of 400 or more, not ${status}`)
    : []
}

function checkFault(
  { fault, body, direction }: ThenFields,
  status: number | undefined,
  method: string | undefined,
  path: Path,
): readonly Problem[] {
  const name = faults.find(known => known === fault || (typeof fault === 'object' && known in fault))
  if (name === undefined || faultTraits[name].arrives === 'nothing') return []
  if (status === undefined && direction === 'request')
    return [
      {
        path: [...path, 'direction'],
        message: `${name} breaks a response, and on the request there is none: add a status, or remove direction`,
      },
    ]
  if (!faultTraits[name].breaksBody) return []
  // Without a status, the fault breaks the usual reply, which has a body.
  const isEmpty = status !== undefined && (body === undefined ? status < 400 : body === '')
  if (!isEmpty && method !== 'HEAD') return []
  const what = method === 'HEAD' ? 'an answer to HEAD' : 'this answer'
  return [{ path: [...path, 'fault'], message: `${name} breaks a body, and ${what} has none` }]
}

function checkDelay(delay: ThenFields['delay'], path: Path): readonly Problem[] {
  if (delay === undefined) return []
  if (typeof delay === 'string') return checkLength(delay, path)
  const { uniform, lognormal } = delay
  if (uniform !== undefined) {
    const [from, to] = uniform
    const at = [...path, 'uniform']
    const wrong = uniform.flatMap((length, index) => checkLength(length, [...at, index]))
    if (wrong.length > 0) return wrong
    return problemIf(ms(from) > ms(to), [...at, 1], 'expected at least the first duration')
  }
  if (lognormal === undefined) return []
  const { median, p99 } = lognormal
  const at = [...path, 'lognormal']
  const wrong = [...checkLength(median, [...at, 'median']), ...checkLength(p99, [...at, 'p99'])]
  if (wrong.length > 0) return wrong
  if (ms(median) === 0) return [{ path: [...at, 'median'], message: 'expected a duration above 0' }]
  return problemIf(ms(p99) < ms(median), [...at, 'p99'], 'expected at least the median')
}

function checkLength(length: string, path: Path): readonly Problem[] {
  const message = `expected a delay of at most 10m, found ${showValue(length)} (to never answer, use fault: hang)`
  return problemIf(ms(length) > maxDelayMs, path, message)
}

function ms(text: string): number {
  return parseDuration(text) ?? 0
}
