import { maxDelayMs } from '../../service/call/fault.ts'
import { formatPreferences, type Preferences } from '../../service/call/prefer.ts'
import type { Key } from '../../service/keys/key.ts'
import type { RateLimit } from '../../service/limits/limit-headers.ts'
import type { Intervention } from '../replies/finish-reply.ts'
import { answerRule, injectedError, lostRequest, markText } from '../rules/injected-answer.ts'
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
  const retryAfter = () => retryAfterOf(context, rate.resetsAt)
  // No rule counts a call that is refused here, as none counts what key, ban and limit refuse.
  if (preferences?.code !== undefined) {
    return {
      gate: 'prefer',
      answer: answerRule(
        injectedError(
          preferences.code,
          `The request asked for this answer: Prefer: code=${preferences.code}.`,
        ),
        retryAfter,
      ),
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
    answer: injected && answerRule(injected, retryAfter),
    isAfterCall: direction === 'response',
    rules: acted,
    delayMs: Math.min(maxDelayMs, delayMs + (preferences?.delayMs ?? 0)),
    fault,
    headers: headersOf(preferences, marks && isInjected ? acted.at(-1) : undefined),
  }
}

function headersOf(preferences: Preferences | undefined, mark: string | undefined): Record<string, string> {
  const headers: Record<string, string> = {}
  if (preferences !== undefined) headers['Preference-Applied'] = formatPreferences(preferences)
  if (mark !== undefined) headers['X-Pet-Mock'] = markText(mark)
  return headers
}
