import { type Answer, reply } from '../../service/call/answer.ts'
import { maxDelayMs } from '../../service/call/fault.ts'
import { formatPreferences, type Preferences } from '../../service/call/prefer.ts'
import type { Key } from '../../service/keys/key.ts'
import { invalidTokenChallenge } from '../../service/keys/unauthorized.ts'
import type { RateLimit } from '../../service/limits/limit-headers.ts'
import type { Intervention } from '../replies/finish-reply.ts'
import { type InjectedAnswer, injectedFault } from '../rules/rule.ts'
import { type CallContext, retryAfterOf } from './call-context.ts'
import { CallFacts } from './rule-facts.ts'

/** Injects faults (A01): after the limit, so that they cost quota, and before the route. */
export function intervene(
  context: CallContext,
  key: Key,
  rate: RateLimit,
  marks: boolean,
): Intervention | undefined {
  const { preferences } = context.caller
  const { rules } = context.world
  if (preferences === undefined && rules.size === 0) return undefined
  // No rule counts a call that is refused here, as none counts what key, ban and limit refuse.
  if (preferences?.code !== undefined) {
    return {
      gate: 'prefer',
      answer: answerRule(context, rate, answerPreference(preferences.code)),
      isAfterCall: false,
      rules: [],
      delayMs: preferences.delayMs ?? 0,
      fault: undefined,
      headers: headersOf(preferences, marks ? 'prefer' : undefined),
    }
  }
  const outcome = rules.size === 0 ? undefined : rules.consult(new CallFacts(context, key), context.at)
  if (preferences === undefined && outcome === undefined) return undefined
  const { rules: acted = [], answer, fault, direction, delayMs = 0 } = outcome ?? {}
  // The client sees nothing of this answer: it replaces a call that is not carried out.
  const lost = direction === 'request' && fault !== undefined ? lostRequest : undefined
  const injected = answer ?? lost
  const isInjected = injected !== undefined || fault !== undefined
  return {
    gate: 'rule',
    answer: injected && answerRule(context, rate, injected),
    isAfterCall: direction === 'response',
    rules: acted,
    delayMs: Math.min(maxDelayMs, delayMs + (preferences?.delayMs ?? 0)),
    fault,
    headers: headersOf(preferences, marks && isInjected ? acted.at(-1) : undefined),
  }
}

/** The answer of a rule, with the headers that clients expect with its status. */
function answerRule(
  context: CallContext,
  { resetsAt }: RateLimit,
  { status, code, headers, body }: InjectedAnswer,
): Answer {
  const usual: Record<string, string> = {}
  if (status === 401) usual['WWW-Authenticate'] = invalidTokenChallenge('The API key is not accepted')
  if (status === 429) {
    usual['Retry-After'] = retryAfterOf(context, resetsAt)
    usual['Cache-Control'] = 'no-store'
  }
  return { ...reply(status, body, { ...usual, ...headers }), code }
}

const lostRequest = errorOf(503, 'A rule lost this request, so it was not carried out.')

/** The answer to `Prefer: code=…`: that of a rule without headers. */
function answerPreference(status: number): InjectedAnswer {
  return errorOf(status, `The request asked for this answer: Prefer: code=${status}.`)
}

function errorOf(status: number, message: string): InjectedAnswer {
  const body = JSON.stringify({ code: injectedFault, message, status })
  return { status, code: injectedFault, headers: {}, body }
}

function headersOf(preferences: Preferences | undefined, mark: string | undefined): Record<string, string> {
  const headers: Record<string, string> = {}
  if (preferences !== undefined) headers['Preference-Applied'] = formatPreferences(preferences)
  if (mark !== undefined) headers['X-Pet-Mock'] = headerText(mark)
  return headers
}

/** Percent-encodes what a header cannot hold: a rule's name may be in any script. */
function headerText(text: string): string {
  return text.replace(/[^ -$&-~]+/gu, part => encodeURIComponent(part))
}
