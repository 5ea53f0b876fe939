import { suggest } from '../../../base/text/did-you-mean.ts'
import { parseDuration } from '../../../base/time/duration.ts'
import { traitsOf } from '../../../service/call/fault.ts'
import { problems } from '../../../service/call/problems.ts'
import type { Path } from '../../files/show.ts'
import type { RuleFields, ThenFields } from '../file.ts'
import { answerStatus } from '../settle-rules.ts'
import { checkHeaders, ownInReplies } from './headers.ts'
import type { Objection } from './objection.ts'

/** What a rule does must be something, and of one piece. */
export function checkThen({ then, match }: RuleFields, path: Path): readonly Objection[] {
  const method = match?.method
  const own = then ?? {}
  const status = answerStatus(own)
  const at = [...path, 'then']
  if (status === undefined && own.delay === undefined && own.fault === undefined) {
    const given = (['code', 'message', 'headers'] as const).find(name => own[name] !== undefined)
    if (given === undefined) {
      const message = 'the rule does nothing: expected then with a status, a body, a delay or a fault'
      return [{ path, message }]
    }
  }
  return [
    ...checkAnswer(own, status, at),
    ...checkFault(own, status, method, at),
    ...checkHeaders(own.headers, ownInReplies, [...at, 'headers']),
    ...checkDelay(own, at),
  ]
}

/** Statuses whose answers have no content (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). */
export function isWithoutContent(status: number | undefined): boolean {
  return status === 204 || status === 205 || status === 304
}

function checkAnswer(then: ThenFields, status: number | undefined, path: Path): readonly Objection[] {
  const object = (names: readonly ('code' | 'message' | 'headers' | 'body')[], message: string) =>
    names.filter(name => then[name] !== undefined).map(name => ({ path: [...path, name], message }))
  if (status === undefined) {
    const { code } = then
    if (code !== undefined) {
      const hint = suggest(code, Object.keys(problems)) || ': add a status'
      return [
        {
          path: [...path, 'code'],
          message: `only a code of the API's brings a status, and this is none${hint}`,
        },
      ]
    }
    return object(['message', 'headers'], 'this belongs to an answer, and the rule gives none: add a status')
  }
  const shape = 'this is of the Error shape'
  if (then.body !== undefined) {
    return [
      ...object(['code', 'message'], `${shape}, whose place the body takes: remove one of them`),
      ...(isWithoutContent(status) ? object(['body'], `a reply with the status ${status} has no body`) : []),
    ]
  }
  return status < 400
    ? object(['code', 'message'], `${shape}, which has a status from 400 on, not ${status}`)
    : []
}

function checkFault(
  { fault, body }: ThenFields,
  status: number | undefined,
  method: string | undefined,
  path: Path,
): readonly Objection[] {
  if (fault === undefined || !traitsOf(fault).needsBody) return []
  // Without a status, the fault breaks the usual reply, which has a body.
  const isEmpty = status !== undefined && (body === undefined ? status < 400 : body === '')
  if (!isEmpty && method !== 'HEAD') return []
  const what = method === 'HEAD' ? 'an answer to HEAD' : 'this answer'
  return [{ path: [...path, 'fault'], message: `${fault} is about a body, and ${what} has none` }]
}

function checkDelay({ delay }: ThenFields, path: Path): readonly Objection[] {
  if (delay === undefined || typeof delay === 'string') return []
  const { uniform, lognormal } = delay
  const at = [...path, 'delay']
  if ((uniform === undefined) === (lognormal === undefined)) {
    return [{ path: at, message: 'expected one of uniform and lognormal' }]
  }
  if (uniform !== undefined && ms(uniform[0]) > ms(uniform[1])) {
    return [{ path: [...at, 'uniform', 1], message: 'expected a duration not below the first' }]
  }
  if (lognormal === undefined) return []
  const { median, p99 } = lognormal
  if (ms(median) === 0)
    return [{ path: [...at, 'lognormal', 'median'], message: 'expected a duration above 0' }]
  if (ms(p99) >= ms(median)) return []
  return [{ path: [...at, 'lognormal', 'p99'], message: 'expected a duration not below the median' }]
}

function ms(text: string): number {
  return parseDuration(text) ?? 0
}
