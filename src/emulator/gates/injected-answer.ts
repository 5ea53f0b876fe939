import { type Answer, reply } from '../../service/call/answer.ts'
import { invalidTokenChallenge } from '../../service/keys/unauthorized.ts'
import { type RateLimit, retryAfter } from '../../service/limits/limit-headers.ts'
import { type InjectedAnswer, injectedFault } from '../rules/rule.ts'
import type { CallContext } from './call-context.ts'
import { dateOf } from './client-view.ts'

/** The answer of a rule. */
export function answerRule(
  context: CallContext,
  rate: RateLimit,
  { status, code, headers, body }: InjectedAnswer,
): Answer {
  return { ...reply(status, body, { ...headersFor(context, rate, status), ...headers }), code }
}

/** The answer to `Prefer: code=…`. */
export function answerPreference(context: CallContext, rate: RateLimit, status: number): Answer {
  const message = `The request asked for this answer: Prefer: code=${status}.`
  const body = JSON.stringify({ code: injectedFault, message, status })
  return { ...reply(status, body, headersFor(context, rate, status)), code: injectedFault }
}

/** The headers that clients expect with a status: when to retry after 429, how to authenticate after 401. */
function headersFor(context: CallContext, rate: RateLimit, status: number): Record<string, string> {
  if (status === 401) return { 'WWW-Authenticate': invalidTokenChallenge('The API key is not accepted') }
  if (status !== 429) return {}
  const form = context.world.scenario.behaviour.limits.retryAfter
  return {
    'Retry-After': retryAfter(rate.resetsAt, dateOf(context), form),
    'Cache-Control': 'no-store',
  }
}
