import { maxDelayMs } from '../../service/call/fault.ts'
import type { Preferences } from '../../service/call/prefer.ts'
import type { Key } from '../../service/keys/key.ts'
import type { RateLimit } from '../../service/limits/limit-headers.ts'
import { refusedPreferences } from '../../service/operations/preferred.ts'
import type { Decision } from '../journal/exchange.ts'
import type { Intervention } from '../replies/finish-reply.ts'
import { markUnmet } from '../replies/marks.ts'
import { answerRule, lostRequest, markText } from '../rules/injected-answer.ts'
import type { Outcome } from '../rules/rule-book.ts'
import { answerPreferred } from './answer-preferred.ts'
import type { CallContext } from './call-context.ts'
import { injectedCallOf } from './injected-call.ts'
import type { OpenAreas } from './open-areas.ts'
import { CallFacts } from './rule-facts.ts'

interface Injecting {
  readonly key: Key
  readonly rate: RateLimit
  readonly areas: OpenAreas | undefined
  readonly marks: boolean
}

/** Injects faults (A01): after the limit, so that they cost quota, and before the route. */
export function intervene(context: CallContext, injecting: Injecting): Intervention | undefined {
  const { preferences } = context.caller
  const preferred = preferences && prefer(context, preferences, injecting)
  // No rule counts a call that is refused here, as none counts what key, ban and limit refuse.
  if (preferred !== undefined) return preferred
  const { rules } = context.world
  const outcome =
    rules.size === 0 ? undefined : rules.consult(new CallFacts(context, injecting.key), context.at)
  return preferences === undefined && outcome === undefined
    ? undefined
    : applyOutcome(context, outcome, injecting)
}

/** What the client asks for with `Prefer`, if an answer of pet-mock is needed for it. */
function prefer(
  context: CallContext,
  preferences: Preferences,
  { key, rate, areas, marks }: Injecting,
): Intervention | undefined {
  const call = injectedCallOf(context, key.windows, rate, areas)
  const answer = answerPreferred(preferences, call)
  if (answer === undefined) return undefined
  return {
    gate: 'prefer',
    answer,
    isAfterCall: false,
    rules: [],
    delayMs: preferences.delayMs ?? 0,
    fault: undefined,
    marks: {
      acting: 'prefer',
      isFaultOnly: false,
      preferences,
      operation: call.operation(),
      isShown: marks,
    },
  }
}

function applyOutcome(
  context: CallContext,
  outcome: Outcome | undefined,
  { key, rate, areas, marks }: Injecting,
): Intervention {
  const { preferences } = context.caller
  const call = injectedCallOf(context, key.windows, rate, areas)
  const { rules: acted = [], answer, fault, direction, delayMs = 0 } = outcome ?? {}
  // The client sees nothing of this answer: it replaces a call that is not carried out.
  const lost = direction === 'request' && fault !== undefined ? lostRequest : undefined
  const injected = answer ?? lost
  const acting = injected === undefined && fault === undefined ? undefined : acted.at(-1)
  return {
    gate: 'rule',
    answer: injected && answerRule(injected, call),
    isAfterCall: direction === 'response',
    rules: outcome === undefined && preferences?.delayMs === undefined ? undefined : acted,
    delayMs: Math.min(maxDelayMs, delayMs + (preferences?.delayMs ?? 0)),
    fault,
    marks: {
      acting: acting === undefined ? undefined : markText(acting),
      isFaultOnly: injected === undefined,
      preferences,
      operation: preferences && call.operation(),
      isShown: marks,
    },
  }
}

/** Names the preferences of a call that its key, a ban or the limit refuses. */
export function markRefused(decision: Decision, { caller }: CallContext, marks: boolean): Decision {
  const { preferences } = caller
  if (preferences === undefined || !marks) return decision
  const mark = markUnmet(refusedPreferences(preferences))
  const { answer } = decision
  return { ...decision, answer: { ...answer, headers: { ...answer.headers, 'X-Pet-Mock': mark } } }
}
