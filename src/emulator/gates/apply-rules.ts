import type { Answer } from '../../service/call/answer.ts'
import type { Reply } from '../../service/call/call.ts'
import { type Fault, malform, maxDelayMs } from '../../service/call/fault.ts'
import { type Preferences, tellPreferences } from '../../service/call/prefer.ts'
import type { Key } from '../../service/keys/key.ts'
import type { RateLimit } from '../../service/limits/limit-headers.ts'
import type { Outcome } from '../rules/rule-book.ts'
import type { Visit } from '../worlds/call-context.ts'
import { answerPreference, answerRule } from './injected-answer.ts'
import { CallFacts } from './rule-facts.ts'

/** What a rule or a `Prefer` header makes of a call. */
export interface Intervention {
  readonly gate: 'prefer' | 'rule'
  /** Takes the place of the API's own. */
  readonly answer: Answer | undefined
  /** The rules that acted, in order. */
  readonly rules: readonly string[]
  readonly delayMs: number
  readonly fault: Fault | undefined
  /** What the reply says about it. */
  readonly headers: Readonly<Record<string, string>>
}

/** Where faults are injected (A01): after the limit, so that they cost quota, and before the route. */
export function intervene(visit: Visit, key: Key, rate: RateLimit, marks: boolean): Intervention | undefined {
  const { preferences } = visit.caller
  const { rules } = visit.world
  if (preferences === undefined && rules.size === 0) return undefined
  // As what key, ban and limit refuse, such a call does not come to the rules, and none counts it.
  if (preferences?.code !== undefined) {
    const answer = answerPreference(visit, rate, preferences.code)
    return {
      gate: 'prefer',
      answer,
      rules: [],
      delayMs: preferences.delayMs ?? 0,
      fault: undefined,
      headers: told(preferences, marks ? 'prefer' : undefined),
    }
  }
  const outcome = rules.size === 0 ? undefined : rules.consult(new CallFacts(visit, key), visit.at)
  return combine(visit, rate, preferences, outcome, marks)
}

function combine(
  visit: Visit,
  rate: RateLimit,
  preferences: Preferences | undefined,
  outcome: Outcome | undefined,
  marks: boolean,
): Intervention | undefined {
  if (preferences === undefined && outcome === undefined) return undefined
  const { rules = [], answer, fault, delayMs = 0 } = outcome ?? {}
  const madeUp = answer !== undefined || fault !== undefined
  return {
    gate: 'rule',
    answer: answer && answerRule(visit, rate, answer),
    rules,
    delayMs: Math.min(maxDelayMs, delayMs + (preferences?.delayMs ?? 0)),
    fault,
    headers: told(preferences, marks && madeUp ? rules.at(-1) : undefined),
  }
}

/** The finished reply with what comes of an intervention. */
export function alterReply(reply: Reply, intervention: Intervention | undefined): Reply {
  if (intervention === undefined) return reply
  const { headers, delayMs, fault } = intervention
  return {
    status: reply.status,
    headers: { ...reply.headers, ...headers },
    body: fault === 'malformed' && reply.body !== undefined ? malform(reply.body) : reply.body,
    ...(delayMs > 0 && { delayMs }),
    ...(fault !== undefined && { fault }),
  }
}

function told(preferences: Preferences | undefined, mark: string | undefined): Record<string, string> {
  const headers: Record<string, string> = {}
  if (preferences !== undefined) headers['Preference-Applied'] = tellPreferences(preferences)
  if (mark !== undefined) headers['X-Pet-Mock'] = headerText(mark)
  return headers
}

/** A rule's name may be in any script, a header's value is ASCII: the rest is percent-encoded. */
function headerText(text: string): string {
  return text.replace(/[^ -$&-~]+/gu, part => encodeURIComponent(part))
}
